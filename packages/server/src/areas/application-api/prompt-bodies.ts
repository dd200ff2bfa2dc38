// The small bodies that change the queue and the history.
import { Fault } from "../../foundation/fault.ts";
import type { Incoming } from "../../foundation/http/area.ts";
import { inlineJsonLimits, parseJson } from "../../foundation/json/json-bytes.ts";
import { isRecord, type JsonRecord } from "../../foundation/json/json-record.ts";

// Bodies are parsed as JSON whatever their content type: not all clients set it.
export async function readJsonBody(it: Pick<Incoming<unknown>, "bytes">): Promise<JsonRecord> {
  const bytes = await it.bytes();
  if (bytes.byteLength === 0) return {};
  const { value } = parseJson(bytes, inlineJsonLimits);
  if (!isRecord(value)) throw new Fault("invalid_json", "The body must be a JSON object.");
  return value;
}

const idsMax = 100;

export function idsIn(given: unknown): string[] {
  const ids = Array.isArray(given) ? given.filter((id) => typeof id === "string") : [];
  if (ids.length > idsMax) throw new Fault("invalid_request", `delete names more than ${idsMax} prompts.`);
  return ids;
}
