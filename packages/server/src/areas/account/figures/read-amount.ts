import { parseCredits } from "../../../capabilities/prices/index.ts";
import { Fault } from "../../../foundation/fault.ts";

// An amount of credits in a body, in micro-credits.
export function readAmount(name: string, text: string | null): bigint | null {
  if (text === null) return null;
  const amount = parseCredits(text);
  if (amount !== null && amount >= 0n) return amount;
  throw new Fault("invalid_request", `The request is not valid: ${name} must be an amount of credits, 0 or more.`, {
    details: [{ path: `/${name}`, message: "must be an amount of credits, 0 or more" }],
  });
}
