// X-Service-Max-Credits: the most a caller lets one call or submission cost. It is not part of the request's fingerprint,
// and a known key is answered without looking at it: a call that is running or has run costs what it costs.
import { headerName } from "@atelier/contract";
import { Fault } from "../../foundation/fault.ts";
import { creditsText, parseCredits } from "./money.ts";

const name = headerName.maxCredits.toLowerCase();

// In micro-credits. Null if the header is absent. A limit we cannot read is never treated as no limit.
export function readMaxCredits(rawHeaders: readonly string[]): bigint | null {
  let text: string | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== name) continue;
    if (text !== null) throw new Fault("invalid_request", `${headerName.maxCredits} was sent twice.`);
    text = rawHeaders[index + 1] ?? "";
  }
  if (text === null) return null;
  const limit = parseCredits(text);
  if (limit === null || limit < 0n) {
    throw new Fault("invalid_request", `${headerName.maxCredits} must be an amount of credits such as 12.5.`);
  }
  return limit;
}

// Null if it cannot cost more than the caller allows. Otherwise the refusal, with both figures.
export function aboveLimit(
  what: "call" | "job",
  cost: { readonly highest: bigint; readonly limit: bigint | null },
  details: Readonly<Record<string, unknown>> = {},
): Fault | null {
  if (cost.limit === null || cost.highest <= cost.limit) return null;
  const figures = { highest: creditsText(cost.highest), limit: creditsText(cost.limit) };
  return new Fault(
    "price_above_limit",
    `This ${what} can cost up to ${figures.highest} credits, and ${headerName.maxCredits} allows ${figures.limit}. Nothing ran.`,
    { details: { ...figures, ...details } },
  );
}
