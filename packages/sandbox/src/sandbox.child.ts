// The sandbox in a process of its own: killable, and gone when its parent is. Run by hand it starts at once and prints as a
// line what it would answer to its parent.
import { serveParent, tellStart } from "./serve-parent.ts";
import { type SandboxOptions, startSandbox } from "./start-sandbox.ts";

export type SandboxChildOptions = Pick<SandboxOptions, "port" | "credential" | "pace" | "partners">;

if (process.send) serveParent((options: SandboxChildOptions) => startSandbox(options));
else void tellStart(startSandbox({}), (reply) => process.stdout.write(`${JSON.stringify(reply)}\n`));
