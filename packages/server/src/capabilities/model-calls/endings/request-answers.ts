// Answers of queued requests that no provider answered. They cost nothing and say so, because some of their buckets
// otherwise leave the charge open.
import { Fault } from "../../../foundation/fault.ts";
import type { RecordedAnswer } from "../../calls/index.ts";
import { answerOf, withCost } from "./decide-ending.ts";

const free = (fault: Fault): RecordedAnswer => withCost(answerOf(fault, null), 0n);

export const requestAnswers = {
  cancelled: (): RecordedAnswer =>
    free(new Fault("cancelled", "This request was cancelled before it ran. Nothing was charged.")),
  timedOut: (): RecordedAnswer =>
    free(new Fault("queue_timeout", "This request waited too long for a slot. Nothing ran and nothing was charged.")),
  gaveUp: (): RecordedAnswer =>
    free(
      new Fault("provider_error", "This request was started several times and never finished. Nothing was charged."),
    ),
};
