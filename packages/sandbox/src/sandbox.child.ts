// The sandbox in a process of its own: killable, and gone when its parent is. With a channel to the parent it waits for
// {start: {port?, credential?, pace?, partners?}} and answers {ready: {port, url}}; run by hand it starts at once and
// prints the same line. Credentials come over the channel, because arguments can be read by anybody on the machine.
import { type SandboxOptions, startSandbox } from "./start-sandbox.ts";

export interface StartMessage {
  readonly start: Pick<SandboxOptions, "port" | "credential" | "pace" | "partners">;
}

export type ChildMessage =
  | { readonly ready: { readonly port: number; readonly url: string } }
  | { readonly failed: string };

// Ctrl-C reaches the whole process group; the parent decides when we end.
if (process.send) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("disconnect", () => process.exit(0));
  process.once("message", (message) => {
    if (isStartMessage(message)) void start(message.start);
  });
} else void start({});

async function start(options: StartMessage["start"]): Promise<void> {
  try {
    const { port, url } = await startSandbox(options);
    tell({ ready: { port, url } });
  } catch (thrown) {
    tell({ failed: thrown instanceof Error ? thrown.message : String(thrown) });
    process.exitCode = 1;
    process.disconnect?.();
  }
}

function tell(message: ChildMessage): void {
  if (process.send) process.send(message);
  else process.stdout.write(`${JSON.stringify(message)}\n`);
}

function isStartMessage(message: unknown): message is StartMessage {
  return typeof message === "object" && message !== null && "start" in message;
}
