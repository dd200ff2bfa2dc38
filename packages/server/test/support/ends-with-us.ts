// Servers that a test started end with it, even if it fails before it can stop them or its process is killed. In the last
// case none of our code runs any more, so the system ends them.
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

// Wraps a command so that the program is told to stop when this process is gone. It keeps its process id: there is no
// process in between.
export function leashed(program: string, words: readonly string[]): [string, string[]] {
  return hasLeash ? [leash[0], [...leash.slice(1), program, ...words]] : [program, [...words]];
}
