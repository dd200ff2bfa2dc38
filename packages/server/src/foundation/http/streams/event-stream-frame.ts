// One server-sent event as bytes, encoded once and shared by every connection that gets it. The data is one line of JSON, so
// nothing a user wrote can start another field or another event.
import { invariant } from "../../assert.ts";

export interface EventFields {
  readonly id?: string;
  readonly event?: string;
  // Any JSON value.
  readonly data: unknown;
}

export function encodeEvent(fields: EventFields): Buffer {
  const json = JSON.stringify(fields.data);
  invariant(json !== undefined, "an event's data is JSON");
  // JSON escapes CR and LF itself. Unicode's two other line separators are escaped for readers that split at them.
  const data = json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  const id = fields.id === undefined ? "" : `id: ${oneWord(fields.id)}\n`;
  const event = fields.event === undefined ? "" : `event: ${oneWord(fields.event)}\n`;
  return Buffer.from(`${id}${event}data: ${data}\n\n`, "utf8");
}

export function encodeComment(text: string): Buffer {
  return Buffer.from(`: ${text}\n\n`, "utf8");
}

export function encodeRetryHint(retryMs: number): Buffer {
  return Buffer.from(`retry: ${Math.round(retryMs)}\n\n`, "utf8");
}

function oneWord(text: string): string {
  invariant(/^[A-Za-z0-9._:-]{1,128}$/.test(text), "an event's id and name are one word of plain letters");
  return text;
}
