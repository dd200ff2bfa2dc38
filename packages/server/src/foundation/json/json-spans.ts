// Finds values in the bytes of a JSON text, and changes single values while leaving every other byte as it is. For texts that
// parseJson has accepted: nothing is checked here, so a text that is not JSON yields nonsense but does no harm. Numbers keep
// their digits because they are not parsed. One pass, linear in the text, and only the keys that need it are decoded.
import { namesInPointer, pointerSegment } from "../json-pointer.ts";
import { jsonOrUndefined } from "./foreign-json.ts";

export interface JsonSpan {
  // Byte range of the value; the end is exclusive.
  readonly start: number;
  readonly end: number;
}

export interface JsonMember extends JsonSpan {
  readonly name: string;
}

export interface FoundSpan extends JsonSpan {
  readonly pointer: string;
}

export interface JsonEdit extends JsonSpan {
  readonly text: Uint8Array;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

// The values that a pointer names, in the order of the text. `*` matches every member.
export function findSpans(bytes: Buffer, pointer: string): FoundSpan[] {
  const start = skipSpace(bytes, 0);
  const whole = { start, end: findValueEnd(bytes, start) };
  const parts = namesInPointer(pointer);
  return descend(bytes, whole, parts, "");
}

export function findSpan(bytes: Buffer, pointer: string): JsonSpan | null {
  return findSpans(bytes, pointer)[0] ?? null;
}

// The members of the object that begins at `start`. Empty if something else begins there.
export function membersOf(bytes: Buffer, start: number): JsonMember[] {
  if (bytes[start] !== openBrace) return [];
  const members: JsonMember[] = [];
  let at = skipSpace(bytes, start + 1);
  while (at < bytes.length && bytes[at] !== closeBrace) {
    const keyEnd = findStringEnd(bytes, at);
    const valueAt = skipSpace(bytes, skipOne(bytes, keyEnd, colon));
    const end = findValueEnd(bytes, valueAt);
    members.push({ name: readName(bytes, at, keyEnd), start: valueAt, end });
    const next = skipSpace(bytes, skipOne(bytes, end, comma));
    // A text that is not JSON must not loop forever.
    if (next <= at) break;
    at = next;
  }
  return members;
}

// The last member of this name in the object that begins at `start`, which is the one that readers use. Does not build a list
// of all the others.
function findMember(bytes: Buffer, start: number, name: string): JsonSpan | null {
  if (bytes[start] !== openBrace) return null;
  const wanted = Buffer.from(name);
  let found: JsonSpan | null = null;
  let at = skipSpace(bytes, start + 1);
  while (at < bytes.length && bytes[at] !== closeBrace) {
    const keyEnd = findStringEnd(bytes, at);
    const valueAt = skipSpace(bytes, skipOne(bytes, keyEnd, colon));
    const end = findValueEnd(bytes, valueAt);
    if (isNamed(bytes, at, keyEnd, wanted, name)) found = { start: valueAt, end };
    const next = skipSpace(bytes, skipOne(bytes, end, comma));
    if (next <= at) break;
    at = next;
  }
  return found;
}

function isNamed(bytes: Buffer, at: number, keyEnd: number, wanted: Buffer, name: string): boolean {
  const length = keyEnd - at - 2;
  // Escapes make a key longer than its decoded name.
  if (length < wanted.length) return false;
  if (bytes.subarray(at, keyEnd).includes(backslash)) return readName(bytes, at, keyEnd) === name;
  return length === wanted.length && bytes.compare(wanted, 0, length, at + 1, keyEnd - 1) === 0;
}

function readName(bytes: Buffer, at: number, keyEnd: number): string {
  const text = bytes.toString("utf8", at + 1, keyEnd - 1);
  if (!text.includes("\\")) return text;
  return String(jsonOrUndefined(bytes.toString("utf8", at, keyEnd)) ?? text);
}

// The edits must not overlap.
export function spliceJson(bytes: Buffer, edits: readonly JsonEdit[]): Buffer {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const edit of [...edits].sort((one, other) => one.start - other.start)) {
    parts.push(bytes.subarray(from, edit.start), edit.text);
    from = edit.end;
  }
  parts.push(bytes.subarray(from));
  return Buffer.concat(parts);
}

// Where a member of the outermost object is, or would be inserted. Found once, so that the writer need not scan the text again.
export interface MemberPosition {
  readonly name: string;
  // Its value. Null if there is none yet.
  readonly value: JsonSpan | null;
  // Including its name and its comma.
  readonly whole: JsonSpan | null;
  // Right after the brace that opens the object.
  readonly front: number;
  readonly isFirst: boolean;
}

export function memberPosition(bytes: Buffer, name: string): MemberPosition {
  const open = skipSpace(bytes, 0);
  const members = membersOf(bytes, open);
  const index = members.findIndex((member) => member.name === name);
  const member = members[index];
  const found = { name, front: open + 1, isFirst: members.length === 0 };
  if (!member) return { ...found, value: null, whole: null };
  const before = members[index - 1];
  const end = before || !members[index + 1] ? member.end : skipOne(bytes, member.end, comma);
  const whole = { start: before ? before.end : open + 1, end };
  return { ...found, value: { start: member.start, end: member.end }, whole };
}

// An edit that sets the member to this value; a new member goes first. With null, the member is removed.
export function memberSet(location: MemberPosition, valueText: string | null): JsonEdit | null {
  if (valueText === null) return location.whole === null ? null : { ...location.whole, text: empty };
  if (location.value !== null) return { ...location.value, text: Buffer.from(valueText) };
  const text = Buffer.from(`${JSON.stringify(location.name)}:${valueText}${location.isFirst ? "" : ","}`);
  return { start: location.front, end: location.front, text };
}

// The text with the member at the end of the path set to this value. Members on the way that are missing, or are no objects, are
// made.
export function withMember(bytes: Buffer, path: readonly [string, ...string[]], valueText: string): Buffer {
  const [name, next, ...rest] = path;
  const location = memberPosition(bytes, name);
  const { value } = location;
  const isObject = value !== null && bytes[value.start] === openBrace;
  const inner = isObject ? bytes.subarray(value.start, value.end) : Buffer.from("{}");
  const text = next === undefined ? valueText : withMember(inner, [next, ...rest], valueText).toString();
  const edit = memberSet(location, text);
  return edit === null ? bytes : spliceJson(bytes, [edit]);
}

const empty = Buffer.alloc(0);

function descend(bytes: Buffer, span: JsonSpan, [part, ...rest]: readonly string[], pointer: string): FoundSpan[] {
  if (part === undefined) return [{ ...span, pointer }];
  if (part !== "*" && bytes[span.start] === openBrace) {
    const member = findMember(bytes, span.start, part);
    return member === null ? [] : descend(bytes, member, rest, `${pointer}/${pointerSegment(part)}`);
  }
  return childrenOf(bytes, span.start)
    .filter(({ name }) => part === "*" || name === part)
    .flatMap((child) => descend(bytes, child, rest, `${pointer}/${pointerSegment(child.name)}`));
}

function childrenOf(bytes: Buffer, start: number): JsonMember[] {
  if (bytes[start] !== openBracket) return membersOf(bytes, start);
  const items: JsonMember[] = [];
  let at = skipSpace(bytes, start + 1);
  while (at < bytes.length && bytes[at] !== closeBracket) {
    const end = findValueEnd(bytes, at);
    items.push({ name: String(items.length), start: at, end });
    const next = skipSpace(bytes, skipOne(bytes, end, comma));
    if (next <= at) break;
    at = next;
  }
  return items;
}

function findValueEnd(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === quote) return findStringEnd(bytes, start);
  if (first !== openBrace && first !== openBracket) {
    let at = start;
    while (at < bytes.length && !isDelimiter(bytes[at])) at++;
    return at;
  }
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = findStringEnd(bytes, at) - 1;
    else if (byte === openBrace || byte === openBracket) depth++;
    else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return at + 1;
  }
  return bytes.length;
}

// The position after the closing quote. The native search makes long strings (images as base64) cheap.
function findStringEnd(bytes: Buffer, start: number): number {
  let from = start + 1;
  for (;;) {
    const end = bytes.indexOf(quote, from);
    if (end < 0) return bytes.length;
    let before = end;
    while (before > from && bytes[before - 1] === backslash) before--;
    if ((end - before) % 2 === 0) return end + 1;
    from = end + 1;
  }
}

function isDelimiter(byte: number | undefined): boolean {
  return byte === comma || byte === closeBrace || byte === closeBracket || isSpace(byte);
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at++;
  return at;
}

function skipOne(bytes: Buffer, from: number, byte: number): number {
  const at = skipSpace(bytes, from);
  return bytes[at] === byte ? at + 1 : at;
}
