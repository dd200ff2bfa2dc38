// Reads providers' answers: small ones here, large ones in a thread that returns only what the definition names. If the
// thread fails, we read the answer here, which only takes longer.
import { ownEntry } from "@atelier/engine/own-code";
import { largeBytesMin, ownThread } from "../../../foundation/own-thread.ts";
import type { ModelDefinition } from "../definition.ts";
import { composeStream } from "../streams/compose-stream.ts";
import { isEventStream, type StreamDefinition } from "../streams/stream-definition.ts";
import type { LargeAnswer, LargeAnswerTask } from "./answer-reader.worker.ts";
import { type AnswerHeaders, isJson, type Received, received, typeOf } from "./read-answer.ts";
import { readPointers } from "./sparse-document.ts";

export interface AnswerReader {
  read(
    model: ModelDefinition,
    answer: { readonly status: number; readonly headers: AnswerHeaders; readonly body: Buffer },
  ): Received | Promise<Received>;
  // The body that the events of a streamed answer make, as JSON.
  whole(stream: StreamDefinition, events: Buffer): Buffer | Promise<Buffer>;
  close(): Promise<void>;
}

// For command-line tools, where nothing else is waiting.
export const readHere = { read: readNow, whole: wholeNow };

type Answered = Parameters<AnswerReader["read"]>[1];

function readNow(model: ModelDefinition, { status, headers, body }: Answered): Received {
  const stream = streamIn(model, status, headers);
  if (stream === undefined) return received(status, headers, body);
  const { document, isComplete } = composeStream(stream, body);
  return { status, contentType: typeOf(headers), body, headers, document, fields: null, isCutShort: !isComplete };
}

function wholeNow(stream: StreamDefinition, events: Buffer): Buffer {
  return Buffer.from(JSON.stringify(composeStream(stream, events).document) ?? "null");
}

function streamIn({ stream }: ModelDefinition, status: number, headers: AnswerHeaders): StreamDefinition | undefined {
  return status >= 200 && status < 300 && isEventStream(typeOf(headers)) ? stream : undefined;
}

export function createAnswerReader(): AnswerReader {
  const thread = ownThread<LargeAnswerTask, LargeAnswer>(ownEntry("./answer-reader.worker", import.meta.url));
  return {
    read(model, answer) {
      const { status, headers, body } = answer;
      const stream = streamIn(model, status, headers);
      if (body.byteLength <= largeBytesMin || !(stream || isJson(headers))) return readNow(model, answer);
      const task = { pointers: readPointers(model), status, body, ...(stream ? { stream } : {}) };
      return thread.run(task).then(
        (read) => ({ status, headers, body, contentType: typeOf(headers), ...read }),
        () => readNow(model, answer),
      );
    },
    whole(stream, events) {
      if (events.byteLength <= largeBytesMin) return wholeNow(stream, events);
      return thread.run({ pointers: [], status: 200, body: events, stream, isWhole: true }).then(
        ({ whole }) => Buffer.from(whole ?? "null"),
        () => wholeNow(stream, events),
      );
    },
    close: () => thread.close(),
  };
}
