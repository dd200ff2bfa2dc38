// JSON whose integers keep all their digits: seeds go up to 2⁶⁴, and the application, unlike a double, does not round them.
import { writeJson } from "../models/exact-json.ts";

interface Reading {
  readonly source?: string;
}

export function readExact(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const revive = (_name: string, value: unknown, reading?: Reading): unknown =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(reading?.source ?? "")
      ? BigInt(reading?.source ?? 0)
      : value;
  return JSON.parse(text, revive);
}

export function writeExact(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return writeJson(value);
  }
}
