// Parses the query of the job list. An unreadable filter is reported, never ignored: ignoring it would show more than
// requested.
import { type JobState, jobStates, limits } from "@atelier/contract";
import type { ListJobs } from "../../../capabilities/jobs/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { QueryReader } from "../../../foundation/http/page-query.ts";
import { checkPairs, problemOf } from "../../../foundation/json/labels.ts";

// `text` is the query as in the request line.
export function readJobQuery(
  query: URLSearchParams,
  text: string = query.toString(),
): Omit<ListJobs, "workspaceId" | "poolId"> {
  const reader = new QueryReader(query);
  const asked = {
    states: readStates(reader, query.getAll("status")),
    metadata: readMetadata(reader, query.getAll("metadata")),
    labels: readLabels(query, text),
    idempotencyKey:
      reader.read("idempotency_key", (text) => (/^[\x21-\x7e]{1,255}$/.test(text) ? text : null), "a key") ?? null,
    cursor: reader.readCursor() ?? null,
    limit: reader.readLimit(),
  };
  reader.requireNoProblem();
  return asked;
}

// A job can have the empty text, so it is valid as a filter.
function readMetadata(reader: QueryReader, values: readonly string[]): string | null {
  if (values.length === 1 && values[0] === "") return "";
  return reader.read("metadata", metadataIn, `at most ${limits.jobMetadataBytesMax} bytes`) ?? null;
}

function metadataIn(text: string): string | null {
  return Buffer.byteLength(text) <= limits.jobMetadataBytesMax && problemOf(text) === null ? text : null;
}

// metadata[key]=value, each key once. A key can itself contain brackets: it ends at the last one of the name.
function readLabels(query: URLSearchParams, text: string): readonly (readonly [string, string])[] {
  const labels = new Map<string, string>();
  for (const [name, value] of query) {
    if (!name.startsWith(labelStart)) continue;
    const key = name.slice(labelStart.length, -1);
    if (!name.endsWith("]") || key === "") throw invalidFilter("must have a key between the brackets");
    if (labels.has(key)) throw invalidFilter("must not repeat a key");
    labels.set(key, value);
  }
  if (labels.size === 0) return [];
  if (labels.size > limits.jobLabelFiltersMax)
    throw invalidFilter(`may be used at most ${limits.jobLabelFiltersMax} times`);
  const pairs = [...labels];
  const problem = checkPairs(pairs);
  if (problem !== null) throw invalidFilter(`can never match: such a map ${problem}`);
  if (!isWholeText(text)) throw invalidFilter("must be percent-encoded UTF-8");
  return pairs;
}

function invalidFilter(problem: string): Fault {
  return new Fault("invalid_metadata_filter", `metadata[key] ${problem}.`, { details: { field: "metadata[key]" } });
}

const labelStart = "metadata[";

// Invalid UTF-8 was decoded to replacement characters, which would search for something else.
function isWholeText(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

// Repeated, or several separated by commas.
function readStates(reader: QueryReader, values: readonly string[]): readonly JobState[] | null {
  if (values.length === 0) return null;
  const words = new Set(values.flatMap((value) => value.split(",").map((word) => word.trim())));
  const states = jobStates.filter((state) => words.has(state));
  if (states.length !== words.size) reader.problem("status", `must be one or more of ${jobStates.join(", ")}`);
  return states;
}
