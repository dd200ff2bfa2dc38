// Ends a prompt because its job ends here. If the job is only given back, a running prompt is left alone: the next worker
// finds it and continues with it. A waiting one is removed from the queue; queueing it again costs nothing.
import type { Clock } from "../../../foundation/clock.ts";
import { type Application, ApplicationProblem } from "../application.ts";
import { readPromptState } from "./prompt-state.ts";

export interface StopDeps {
  readonly application: Pick<Application, "cancel" | "removePending" | "queue">;
  readonly clock: Clock;
}

// An interruption takes effect at a node's next step; we do not wait longer for a node without steps.
const waitMsMax = 10_000;
const askEveryMs = 200;

// Never rejects. If the application cannot be reached, the prompt just runs to its end there.
export async function stopPrompt(deps: StopDeps, promptId: string, reason: unknown): Promise<void> {
  const { application, clock } = deps;
  try {
    if (reason === "given_back") return await application.removePending(promptId);
    if (!(await application.cancel(promptId))) return;
    const untilMs = clock.monotonicMs() + waitMsMax;
    while (clock.monotonicMs() < untilMs) {
      if (readPromptState(promptId, await application.queue(), null).kind === "unknown") return;
      await clock.sleep(askEveryMs);
    }
  } catch (error) {
    if (!(error instanceof ApplicationProblem)) throw error;
  }
}
