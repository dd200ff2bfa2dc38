// What a caller asks of the list of jobs. A filter that cannot be read is told, never ignored: it would show more than
// was asked for.
import { type JobState, jobStates, limits } from "@atelier/contract";
import type { ListJobs } from "../../capabilities/jobs/index.ts";
import { QueryReader } from "../../foundation/http/page-query.ts";

export function readJobQuery(query: URLSearchParams): Omit<ListJobs, "workspaceId" | "poolId"> {
  const reader = new QueryReader(query);
  const asked = {
    states: readStates(reader, query.getAll("status")),
    metadata: readMetadata(reader, query.getAll("metadata")),
    idempotencyKey:
      reader.read("idempotency_key", (text) => (/^[\x21-\x7e]{1,255}$/.test(text) ? text : null), "a key") ?? null,
    cursor: reader.readCursor() ?? null,
    limit: reader.readLimit(),
  };
  reader.requireNoProblem();
  return asked;
}

// A job may carry the empty text, so that is one to look for.
function readMetadata(reader: QueryReader, values: readonly string[]): string | null {
  if (values.length === 1 && values[0] === "") return "";
  return reader.read("metadata", metadataIn, `at most ${limits.jobMetadataBytesMax} bytes`) ?? null;
}

function metadataIn(text: string): string | null {
  return Buffer.byteLength(text) <= limits.jobMetadataBytesMax && !text.includes("\0") ? text : null;
}

// Repeated, or several with commas between them.
function readStates(reader: QueryReader, values: readonly string[]): readonly JobState[] | null {
  if (values.length === 0) return null;
  const words = new Set(values.flatMap((value) => value.split(",").map((word) => word.trim())));
  const states = jobStates.filter((state) => words.has(state));
  if (states.length !== words.size) reader.problem("status", `must be some of ${jobStates.join(", ")}`);
  return states;
}
