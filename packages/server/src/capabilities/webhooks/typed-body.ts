// Decisions, section 10: besides `sequence`, every body says what happened, so that one receiver can tell jobs, tasks and
// calls apart. The member is inserted into the text, so that the body's numbers are not parsed and rewritten. If the read
// of a subject has a member of the same name, the read keeps it, but the body sent says what happened.
import { findSpan, membersOf } from "../../foundation/json/json-spans.ts";

export function typedBody(body: Uint8Array, type: string): Buffer {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const word = Buffer.from(JSON.stringify(type));
  const own = findSpan(bytes, "/type");
  if (own !== null) return Buffer.concat([bytes.subarray(0, own.start), word, bytes.subarray(own.end)]);
  const whole = findSpan(bytes, "");
  if (whole === null || bytes[whole.start] !== openBrace)
    throw new TypeError("A notification's body must be a JSON object.");
  const comma = membersOf(bytes, whole.start).length > 0 ? "," : "";
  const end = whole.end - 1;
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`${comma}"type":`), word, bytes.subarray(end)]);
}

const openBrace = 0x7b;
