// Ends a prompt because its job is to end here. A job that is only given back is left running: the worker that takes it next
// finds it and goes on with it; only its position in the queue is freed, which costs nothing to take again.
import type { Clock } from "../../../foundation/clock.ts";
import { type Application, ApplicationProblem } from "../application.ts";
import { promptStateOf } from "./prompt-state.ts";

export interface StopDeps {
  readonly application: Pick<Application, "cancel" | "removePending" | "queue">;
  readonly clock: Clock;
}

// An interruption takes effect at the next step of a node; a node that takes none is not waited for.
const waitMsMax = 10_000;
const askEveryMs = 200;

// Never rejects: an application that cannot be told has to end it by itself.
export async function stopPrompt(deps: StopDeps, promptId: string, reason: unknown): Promise<void> {
  const { application, clock } = deps;
  try {
    if (reason === "given_back") return await application.removePending(promptId);
    if (!(await application.cancel(promptId))) return;
    const untilMs = clock.monotonicMs() + waitMsMax;
    while (clock.monotonicMs() < untilMs) {
      if (promptStateOf(promptId, await application.queue(), null).kind === "unknown") return;
      await clock.sleep(askEveryMs);
    }
  } catch (error) {
    if (!(error instanceof ApplicationProblem)) throw error;
  }
}
