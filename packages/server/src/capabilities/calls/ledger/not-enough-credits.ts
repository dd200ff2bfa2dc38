// 402: the request needs more than the workspace has. The message gives both figures, so the caller need not guess how much
// to add. Envelopes with details carry them there as strings too.
import { Fault } from "../../../foundation/fault.ts";
import { creditsText } from "../../prices/index.ts";

export function notEnoughCredits(what: "call" | "task" | "job", needed: bigint, available: bigint): Fault {
  const figures = { needed: creditsText(needed), available: creditsText(available) };
  return new Fault(
    "insufficient_credits",
    `This ${what} needs up to ${figures.needed} credits, but the workspace has ${figures.available} available. Add credits, or request less.`,
    { details: figures },
  );
}
