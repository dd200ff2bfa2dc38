// The thread that reads large answers: see answer-reader.ts.
import { bufferOf, serveThread } from "../../../foundation/own-thread.ts";
import { type Received, readDocument } from "./read-answer.ts";
import { sparseDocument } from "./sparse-document.ts";

export interface LargeAnswerTask {
  readonly pointers: readonly string[];
  readonly status: number;
  readonly body: Uint8Array;
}

export type LargeAnswer = Pick<Received, "document" | "fields">;

serveThread<LargeAnswerTask, LargeAnswer>(({ pointers, status, body }) => {
  const { document, fields } = readDocument(status, bufferOf(body));
  return { document: document === undefined ? undefined : sparseDocument(document, pointers), fields };
});
