// Metadata of jobs: a text, or labels, which map text to text and have the rules of tags (foundation/json/labels.ts).
import { limits } from "@atelier/contract";
import type { JobMetadata } from "../../../capabilities/jobs/index.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";
import { problemOf, readPairs } from "../../../foundation/json/labels.ts";

const bytesMax = limits.jobMetadataBytesMax;

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
  const pairs = readPairs(given);
  return typeof pairs === "string" ? { ok: false, problem: pairs } : { ok: true, metadata: pairs };
}
