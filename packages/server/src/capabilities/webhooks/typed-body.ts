// Decisions, section 10: every body carries, beside `sequence`, what happened, so that one receiver can tell jobs, tasks
// and calls apart. It is put into the text: the body's own digits are not read and written again. A thing whose read
// shows a member of that name keeps it in the read; what is sent says what happened.
import { findSpan, membersOf } from "../../foundation/json/json-spans.ts";

export function typedBody(body: Uint8Array, type: string): Buffer {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const word = Buffer.from(JSON.stringify(type));
  const own = findSpan(bytes, "/type");
  if (own !== null) return Buffer.concat([bytes.subarray(0, own.start), word, bytes.subarray(own.end)]);
  const whole = findSpan(bytes, "");
  if (whole === null || bytes[whole.start] !== openBrace) throw new TypeError("A notice's body is no JSON object.");
  const comma = membersOf(bytes, whole.start).length > 0 ? "," : "";
  const end = whole.end - 1;
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`${comma}"type":`), word, bytes.subarray(end)]);
}

const openBrace = 0x7b;
