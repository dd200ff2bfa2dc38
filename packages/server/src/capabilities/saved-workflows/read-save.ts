// The body of a save as a thread reads it: its members, and a description of its document. The document itself stays where it is,
// in the bytes: nothing else needs it parsed.
import { isUiGraph } from "@atelier/engine";
import { type JsonDocument, parseJson } from "../../foundation/json/json-bytes.ts";
import { isRecord, type JsonRecord } from "../../foundation/json/json-record.ts";
import { findMemberStart, findSpan, type JsonSpan } from "../../foundation/json/json-spans.ts";
import { type DescribedDocument, describeDocument } from "./describe-document.ts";

export interface ReadSave {
  // The body, with an empty object for the document.
  readonly body: unknown;
  // Null if the body has no object as its document.
  readonly document: (DescribedDocument & { readonly start: number; readonly end: number }) | null;
}

// As for a submission: room for 10,000 nodes with 25 inputs each.
const limits = { keysMax: 250_000, valuesMax: 1_000_000, exactMax: 10_000 };
const member = "/document";

// Throws invalid_json.
export function readSave(bytes: Buffer): ReadSave {
  const { value, exactIntegers } = parseJson(bytes, limits);
  const document = isRecord(value) ? value["document"] : undefined;
  const span = isRecord(value) && isRecord(document) ? spanIn(bytes, value) : null;
  if (!isRecord(value) || span === null) return { body: value, document: null };
  const below = [...exactIntegers].filter(([at]) => at.startsWith(`${member}/`));
  const read: JsonDocument = {
    value: document,
    exactIntegers: new Map(below.map(([at, digits]) => [at.slice(member.length), digits])),
  };
  const described = describeDocument(bytes.subarray(span.start, span.end), read, isUiGraph);
  return { body: { ...value, document: {} }, document: { ...span, ...described } };
}

// Clients write the document last: its end is then found from the end of the body, without going through the document.
function spanIn(bytes: Buffer, body: JsonRecord): JsonSpan | null {
  const names = Object.keys(body);
  // Names like 7 come first, wherever they are in the text.
  if (names.at(-1) !== "document" || names.some((name) => /^\d/.test(name))) return findSpan(bytes, member);
  const start = findMemberStart(bytes, "document");
  const closing = bytes.lastIndexOf("}");
  const end = bytes.lastIndexOf("}", closing - 1) + 1;
  return start === null ? null : { start, end };
}
