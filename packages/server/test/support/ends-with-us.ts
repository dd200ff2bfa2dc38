// Servers that a test has started go with it, also where it failed before it could end them, and where its own process was
// killed: then nothing of ours runs any more, and the system ends them.
import { type ChildProcess, spawnSync } from "node:child_process";

const living = new Map<ChildProcess, NodeJS.Signals>();
process.on("exit", () => {
  for (const [child, signal] of living) child.kill(signal);
});

export function endsWithUs(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): ChildProcess {
  living.set(child, signal);
  child.once("exit", () => living.delete(child));
  return child;
}

const leash = ["setpriv", "--pdeathsig", "TERM"] as const;
const hasLeash =
  process.platform === "linux" && spawnSync(leash[0], [...leash.slice(1), "true"], { stdio: "ignore" }).status === 0;

// The call of a program that is told to stop when this process is gone. It keeps its process id: nothing stands in between.
export function leashed(program: string, words: readonly string[]): [string, string[]] {
  return hasLeash ? [leash[0], [...leash.slice(1), program, ...words]] : [program, [...words]];
}
