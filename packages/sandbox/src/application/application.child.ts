// The stand-in in a process of its own, so that it can be killed like a real one. With a channel to the parent it waits for
// {start: options} and answers {ready: {port, url}}; it ends with its parent.
import { type SandboxApplicationOptions, startSandboxApplication } from "./start-application.ts";

export interface StartMessage {
  readonly start: Omit<SandboxApplicationOptions, "crash">;
}

export type ChildMessage =
  | { readonly ready: { readonly port: number; readonly url: string } }
  | { readonly failed: string };

// Ctrl-C reaches the whole process group; the parent decides when we end.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit(0));
process.once("message", (message) => {
  if (isStartMessage(message)) void start(message.start);
});

async function start(options: StartMessage["start"]): Promise<void> {
  try {
    const crash = () => void process.kill(process.pid, "SIGKILL");
    const { port, url } = await startSandboxApplication({ ...options, crash });
    tell({ ready: { port, url } });
  } catch (thrown) {
    tell({ failed: thrown instanceof Error ? thrown.message : String(thrown) });
    process.exitCode = 1;
    process.disconnect?.();
  }
}

function tell(message: ChildMessage): void {
  process.send?.(message);
}

function isStartMessage(message: unknown): message is StartMessage {
  return typeof message === "object" && message !== null && "start" in message;
}
