// Passes a provider's event stream on while it arrives: line by line, and without our credential.
import { redactLines } from "../../../foundation/http/outgoing/redact-answer.ts";
import type { StreamTap } from "../../../foundation/http/outgoing/upstream-outcome.ts";
import type { Redaction } from "../../../foundation/redaction.ts";
import { idleMsOf, isEventStream, type StreamDefinition } from "./stream-definition.ts";

// Someone who reads along. Its functions never throw, and a promise from `lines` never rejects.
export interface LiveReader {
  // The provider has begun to stream.
  begins(contentType: string): void;
  // While the promise is pending, nothing more is read from the provider.
  lines(bytes: Buffer): void | Promise<void>;
}

// Above any text that a model writes, and above a few pictures on their way.
export const streamBytesMax = 16 * 1024 * 1024;

export function tapAnswer(stream: StreamDefinition, redaction: Redaction | null, live: LiveReader | null): StreamTap {
  return {
    idleMs: idleMsOf(stream),
    bytesMax: streamBytesMax,
    begins(status, headers) {
      const type = headers["content-type"];
      const given = typeof type === "string" ? type : "";
      if (status < 200 || status >= 300 || !isEventStream(given)) return false;
      live?.begins(given);
      return true;
    },
    lines(bytes) {
      if (live === null) return;
      if (redaction === null) return live.lines(bytes);
      const clean = redactLines(bytes, redaction);
      return clean instanceof Promise ? clean.then((found) => live.lines(found)) : live.lines(clean);
    },
  };
}
