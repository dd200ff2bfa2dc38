// The thread that reads large answers: see answer-reader.ts.
import { bufferOf, serveThread } from "../../../foundation/own-thread.ts";
import { composeStream } from "../streams/compose-stream.ts";
import type { StreamDefinition } from "../streams/stream-definition.ts";
import { type Received, readDocument } from "./read-answer.ts";
import { sparseDocument } from "./sparse-document.ts";

export interface LargeAnswerTask {
  readonly pointers: readonly string[];
  readonly status: number;
  readonly body: Uint8Array;
  // The body is an event stream.
  readonly stream?: StreamDefinition;
  // The body that the events make is wanted, and not what the pointers name.
  readonly isWhole?: boolean;
}

export type LargeAnswer = Pick<Received, "document" | "fields" | "isCutShort"> & { readonly whole?: string };

serveThread<LargeAnswerTask, LargeAnswer>(({ pointers, status, body, stream, isWhole }) => {
  if (stream) {
    const { document, isComplete } = composeStream(stream, bufferOf(body));
    if (isWhole) return { document: undefined, fields: null, whole: JSON.stringify(document) ?? "null" };
    const named = document === undefined ? undefined : sparseDocument(document, pointers);
    return { document: named, fields: null, isCutShort: !isComplete };
  }
  const { document, fields } = readDocument(status, bufferOf(body));
  return { document: document === undefined ? undefined : sparseDocument(document, pointers), fields };
});
