import { parseCredits } from "../../../capabilities/prices/index.ts";
import { badField } from "../../../foundation/json/bad-field.ts";

// An amount of credits in a body, in micro-credits.
export function readAmount(name: string, text: string): bigint;
export function readAmount(name: string, text: string | null): bigint | null;
export function readAmount(name: string, text: string | null): bigint | null {
  if (text === null) return null;
  const amount = parseCredits(text);
  if (amount !== null && amount >= 0n) return amount;
  throw badField(name, "must be an amount of credits, 0 or more");
}
