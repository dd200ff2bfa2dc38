// Servers that a test has started go with it, also where it failed before it could end them.
import type { ChildProcess } from "node:child_process";

const living = new Map<ChildProcess, NodeJS.Signals>();
process.on("exit", () => {
  for (const [child, signal] of living) child.kill(signal);
});

export function endsWithUs(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): ChildProcess {
  living.set(child, signal);
  child.once("exit", () => living.delete(child));
  return child;
}
