// Reads providers' answers: small ones here, large ones in a thread that returns only what the definition names. If the
// thread fails, we read the answer here, which only takes longer.
import { ownEntry } from "@atelier/engine/own-code";
import { largeBytesMin, ownThread } from "../../../foundation/own-thread.ts";
import type { ModelDefinition } from "../definition.ts";
import type { LargeAnswer, LargeAnswerTask } from "./answer-reader.worker.ts";
import { type AnswerHeaders, isJson, type Received, received, typeOf } from "./read-answer.ts";
import { readPointers } from "./sparse-document.ts";

export interface AnswerReader {
  read(
    model: ModelDefinition,
    answer: { readonly status: number; readonly headers: AnswerHeaders; readonly body: Buffer },
  ): Received | Promise<Received>;
  close(): Promise<void>;
}

// For command-line tools, where nothing else is waiting.
export const readHere: Pick<AnswerReader, "read"> = {
  read: (_, { status, headers, body }) => received(status, headers, body),
};

export function createAnswerReader(): AnswerReader {
  const thread = ownThread<LargeAnswerTask, LargeAnswer>(ownEntry("./answer-reader.worker", import.meta.url));
  return {
    read(model, { status, headers, body }) {
      if (body.byteLength <= largeBytesMin || !isJson(headers)) return received(status, headers, body);
      return thread.run({ pointers: readPointers(model), status, body }).then(
        (read) => ({ status, headers, body, contentType: typeOf(headers), ...read }),
        () => received(status, headers, body),
      );
    },
    close: () => thread.close(),
  };
}
