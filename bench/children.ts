// Child processes of the bench that answer each message with one: load generators, a ledger, senders, receivers, workers.
import { type ChildProcess, spawn } from "node:child_process";

// What goes into a child and what comes out of it.
type Message = object | number;

export function spawnChild(command: readonly [string, ...string[]], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const [program, ...words] = command;
  return spawn(program, words, { stdio: ["ignore", "inherit", "inherit", "ipc"], env: { ...process.env, ...env } });
}

// The child's next message, after the question if there is one.
export async function answerOf<Answer>(child: ChildProcess, msMax: number, question?: Message): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const ended = (code: number | null) => reject(new Error(`A child of the bench ended with ${code}.`));
  const giveUp = setTimeout(() => reject(new Error("A child of the bench does not respond.")), msMax);
  child.once("message", resolve).once("exit", ended);
  if (question !== undefined) child.send(question);
  return promise.finally(() => {
    clearTimeout(giveUp);
    child.off("message", resolve).off("exit", ended);
  });
}

// In the child: answers jobs until the parent is gone. One that fails is answered with its problem.
export function answerJobs<Job, Tally extends object>(
  run: (job: Job) => Promise<Tally>,
  failed: (problem: string) => Tally,
): void {
  if (!process.send) return;
  process.on("message", async (job: Job) => {
    process.send?.(await run(job).catch((error: unknown) => failed(String(error))));
  });
  process.on("disconnect", () => process.exit(0));
}
