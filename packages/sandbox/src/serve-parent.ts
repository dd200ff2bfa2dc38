// Runs a program of the sandbox in a separate process: it waits for {start: options} from its parent, answers {ready: address}
// or {failed: why}, and ends with its parent. Credentials come over this channel, because every user on the machine can read
// arguments.
import { keepCompiledCode } from "@atelier/engine/own-code";

interface Address {
  readonly port: number;
  readonly url: string;
}

export type ChildReply = { readonly ready: Address } | { readonly failed: string };

export function serveParent<Options>(start: (options: Options) => Promise<Address>): void {
  // Ctrl-C reaches the whole process group; the parent decides when we end.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("disconnect", () => process.exit(0));
  process.once("message", (message) => {
    if (isStartMessage<Options>(message)) void reportStart(start(message.start), (reply) => process.send?.(reply));
  });
}

export async function reportStart(starting: Promise<Address>, send: (reply: ChildReply) => void): Promise<void> {
  try {
    const { port, url } = await starting;
    send({ ready: { port, url } });
    keepCompiledCode();
  } catch (thrown) {
    send({ failed: thrown instanceof Error ? thrown.message : String(thrown) });
    process.exitCode = 1;
    process.disconnect?.();
  }
}

function isStartMessage<Options>(message: unknown): message is { readonly start: Options } {
  return typeof message === "object" && message !== null && "start" in message;
}
