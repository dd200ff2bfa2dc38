// The body of a save as a thread reads it: its members, and a description of its document. The document itself stays where it is,
// in the bytes: nothing else needs it parsed.
import { isUiGraph } from "@atelier/engine";
import { type JsonDocument, parseJson } from "../../foundation/json/json-bytes.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import { findSpan } from "../../foundation/json/json-spans.ts";
import { readTape } from "../../foundation/json/read-tape.ts";
import { type DescribedDocument, describeDocument, describeNodes } from "./describe-document.ts";
import { outlinePartly } from "./partial-document.ts";

export interface ReadSave {
  // The body, with an empty object for the document.
  readonly body: unknown;
  // Null if the body has no object as its document.
  readonly document: (DescribedDocument & { readonly start: number; readonly end: number }) | null;
}

// As for a submission: room for 10,000 nodes with 25 inputs each.
const limits = { depthMax: 64, keysMax: 250_000, valuesMax: 1_000_000, exactMax: 10_000 };

// Throws invalid_json.
export function readSave(bytes: Buffer): ReadSave {
  return readByTape(bytes) ?? readWhole(bytes);
}

// Parsing every node of a large document costs ten times as much as the pass over its bytes, most of it in garbage. Null for a
// body without a document, and for one that is refused or needs a closer look.
export function readByTape(bytes: Buffer): ReadSave | null {
  const tape = readTape(bytes, limits);
  const entry = tape?.isObject(0) ? tape.member(0, "document") : null;
  if (!tape || entry === null || !tape.isObject(entry)) return null;
  const [start, end] = [tape.start(entry), tape.end(entry)];
  const around = `${bytes.toString("utf8", 0, start)}{}${bytes.toString("utf8", end)}`;
  const { format, nodes } = outlinePartly(tape, entry, isUiGraph);
  const described = describeNodes(bytes.subarray(start, end), format, nodes);
  return { body: JSON.parse(around), document: { start, end, ...described } };
}

export function readWhole(bytes: Buffer): ReadSave {
  const member = "/document";
  const { value, exactIntegers } = parseJson(bytes, limits);
  const document = isRecord(value) ? value["document"] : undefined;
  const span = isRecord(value) && isRecord(document) ? findSpan(bytes, member) : null;
  if (!isRecord(value) || span === null) return { body: value, document: null };
  const below = [...exactIntegers].filter(([at]) => at.startsWith(`${member}/`));
  const read: JsonDocument = {
    value: document,
    exactIntegers: new Map(below.map(([at, digits]) => [at.slice(member.length), digits])),
  };
  const { start, end } = span;
  const described = describeDocument(bytes.subarray(start, end), read, isUiGraph);
  return { body: { ...value, document: {} }, document: { start, end, ...described } };
}
