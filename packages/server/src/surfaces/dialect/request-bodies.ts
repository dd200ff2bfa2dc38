// Renames members in the JSON of requests, directly in the bytes. Everything that is not a name stays as sent, so the routes
// judge what the caller wrote (numbers of any length, duplicate members, invalid UTF-8). A member given under both names
// becomes a duplicate, which every route refuses.
import { membersOf } from "../../foundation/json/json-spans.ts";
import { largeBytesMin } from "../../foundation/own-thread.ts";
import { isRespelledKey, ourKey } from "./keys.ts";
import { memberNames, policyWords, submissionKey } from "./names.ts";

// Unescaped quotes around a name and a colon after it: in JSON that can only be the name of a member.
const memberPattern = new RegExp(`(?<!\\\\)"(${[...memberNames.keys()].join("|")})"(?=[ \\t\\r\\n]*:)`, "g");
const policyPattern = new RegExp(
  `(?<!\\\\)("${policyWords.member}"[ \\t\\r\\n]*:[ \\t\\r\\n]*")${policyWords.theirs}`,
  "g",
);
const someName = Buffer.from("omfy");

// Bodies of the registry: at most 1 MiB, and none has members named by the caller.
export function respelledRegistryBody(bytes: Buffer): Buffer {
  if (!bytes.includes(someName)) return bytes;
  // One character per byte, there and back.
  const text = bytes
    .toString("latin1")
    .replace(memberPattern, (_, name: string) => `"${memberNames.get(name) ?? name}"`)
    .replace(policyPattern, `$1${policyWords.ours}`);
  return Buffer.from(text, "latin1");
}

const quotedKey = Buffer.from(`"${submissionKey.theirs}"`);
const quotedHolder = Buffer.from(`"${submissionKey.within}"`);
// A graph can have 10 MiB and is parsed in a separate thread. The members beside it are small: only those are read here.
const besideGraphBytesMax = 64 * 1024;

// For a submission: renames the one member, and respells its value if that is one of our keys.
export function respelledSubmission(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf(quotedKey);
  const holder = at === -1 ? -1 : bytes.lastIndexOf(quotedHolder, at);
  if (holder < 1 || bytes[holder - 1] === backslash) return bytes;
  const around = bytes.subarray(holder, holder + besideGraphBytesMax);
  const [extra] = membersOf(Buffer.concat([openBrace, around]), 0);
  if (extra === undefined || !isOutermost(bytes, holder, holder + extra.end - 1)) return bytes;
  const key = membersOf(bytes, holder + extra.start - 1).find(({ name }) => name === submissionKey.theirs);
  if (key === undefined) return bytes;
  const name = bytes.lastIndexOf(quotedKey, key.start);
  const value = bytes.toString("latin1", key.start + 1, key.end - 1);
  return joined([
    bytes.subarray(0, name),
    Buffer.from(`"${submissionKey.ours}"`),
    bytes.subarray(name + quotedKey.length, key.start),
    isRespelledKey(value) ? Buffer.from(`"${ourKey(value)}"`) : bytes.subarray(key.start, key.end),
    bytes.subarray(key.end),
  ]);
}

const backslash = 0x5c;
const openBrace = Buffer.from("{");
const closeBrace = Buffer.from("}");

// Whether the member at this position belongs to the outermost object: then the text after it, or before it, is an object by
// itself. If there is a large text on both sides, the member is left alone and will be refused.
function isOutermost(bytes: Buffer, start: number, end: number): boolean {
  if (bytes.length - start <= besideGraphBytesMax) return isObject([openBrace, bytes.subarray(start)]);
  return end <= besideGraphBytesMax && isObject([bytes.subarray(0, end), closeBrace]);
}

function isObject(parts: readonly Buffer[]): boolean {
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

// Large bodies are in shared memory, where a thread can read them without a copy.
function joined(parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length <= largeBytesMin) return Buffer.concat(parts);
  const whole = Buffer.from(new SharedArrayBuffer(length));
  let at = 0;
  for (const part of parts) at += part.copy(whole, at);
  return whole;
}
