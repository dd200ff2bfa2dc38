// The sandbox in a separate process: it can be killed, and ends when its parent does. Run by hand it starts immediately and
// prints a line with what it would answer its parent.
import { reportStart, serveParent } from "./serve-parent.ts";
import { type SandboxOptions, startSandbox } from "./start-sandbox.ts";

export type SandboxChildOptions = Pick<SandboxOptions, "port" | "credential" | "pace" | "partners" | "standIns">;

if (process.send) serveParent((options: SandboxChildOptions) => startSandbox(options));
else void reportStart(startSandbox({}), (reply) => process.stdout.write(`${JSON.stringify(reply)}\n`));
