// Metadata of jobs: a text, or labels, which map text to text. The limits of labels are those of the public service, so that
// everything that is a label there is one here (decision 0025). Anything that cannot be stored exactly as given is refused,
// both in submissions and in filters. Keys are treated as data only: `__proto__` is a key like any other.
import { limits } from "@atelier/contract";
import type { JobMetadata } from "../../../capabilities/jobs/index.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";

const bytesMax = limits.jobMetadataBytesMax;
const { jobLabelsMax, jobLabelKeyLengthMax, jobLabelValueBytesMax } = limits;
const labelKey = new RegExp(`^[A-Za-z0-9_.-]{1,${jobLabelKeyLengthMax}}$`);

export type MetadataVerdict =
  | { readonly ok: true; readonly metadata: JobMetadata }
  | { readonly ok: false; readonly problem: string };

export function judgeMetadata(given: unknown): MetadataVerdict {
  if (typeof given === "string") {
    const problem =
      problemOf(given) ?? (Buffer.byteLength(given) > bytesMax ? `is longer than ${bytesMax} bytes` : null);
    return problem === null ? { ok: true, metadata: given } : { ok: false, problem };
  }
  if (!isRecord(given)) return { ok: false, problem: "must be a string or a map of strings" };
  const pairs: [string, string][] = [];
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== "string") return { ok: false, problem: "has a value that is not a string" };
    pairs.push([key, value]);
  }
  const problem = checkPairs(pairs);
  return problem === null ? { ok: true, metadata: Object.fromEntries(pairs) } : { ok: false, problem };
}

// Null if they all fit in one map. The same rules apply to submissions and to filters.
export function checkPairs(pairs: readonly (readonly [string, string])[]): string | null {
  if (pairs.length > jobLabelsMax) return `has ${pairs.length} pairs; at most ${jobLabelsMax} are allowed`;
  for (const [key, value] of pairs) {
    if (!labelKey.test(key))
      return `has the key ${JSON.stringify(key.slice(0, 60))}: a key must have 1 to ${jobLabelKeyLengthMax} characters from A-Z, a-z, 0-9, _, - and .`;
    const problem = problemOf(value);
    if (problem !== null) return `${problem} (the value of ${key})`;
    if (Buffer.byteLength(value) > jobLabelValueBytesMax)
      return `has a value of more than ${jobLabelValueBytesMax} bytes, for the key ${key}`;
  }
  return null;
}

// PostgreSQL cannot store NUL in a text, and half a surrogate pair would come back as another character.
export function problemOf(text: string): string | null {
  if (text.includes("\0")) return "contains the character U+0000";
  return text.isWellFormed() ? null : "contains half of a surrogate pair, which is not a valid character";
}
