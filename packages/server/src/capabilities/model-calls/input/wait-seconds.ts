// X-Service-Wait-Seconds: how long a call may wait for its provider's rate limit. Not part of the request's fingerprint.
import { headerName } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";

export const waitSecondsMax = 300;
const name = headerName.waitSeconds.toLowerCase();

// Null if the caller did not say.
export function readWaitSeconds(rawHeaders: readonly string[]): number | null {
  const given = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
  const [text] = given;
  if (text === undefined) return null;
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (given.length === 1 && seconds <= waitSecondsMax) return seconds;
  throw new Fault("invalid_request", `${headerName.waitSeconds} must be a whole number from 0 to ${waitSecondsMax}.`);
}

// Stored with a queued call.
export const waitContext = (seconds: number | null | undefined): object =>
  seconds === null || seconds === undefined ? {} : { wait_seconds: seconds };

export function storedWait(context: unknown): number | null {
  const seconds = isRecord(context) ? context["wait_seconds"] : null;
  return typeof seconds === "number" ? Math.min(waitSecondsMax, seconds) : null;
}
