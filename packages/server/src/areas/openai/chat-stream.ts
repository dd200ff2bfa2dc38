// A stream in their shape. If the model's events have it already, they pass byte for byte; otherwise each text becomes a chunk of
// a chat completion. Our own last event, an error, becomes theirs in both cases. A plain answer to a caller that asked for a
// stream becomes a stream of one piece.
import type { Readable } from "node:stream";
import { type StreamEvent, streamEvents, valueAt } from "../../capabilities/providers/index.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import type { Mapping, TextAnswer } from "./mapping.ts";
import { openaiError } from "./openai-errors.ts";
import { type CompletionHead, finishWord, textAt, usageOf } from "./translate-answer.ts";

const data = (value: unknown) => Buffer.from(`data: ${JSON.stringify(value)}\n\n`);
const done = Buffer.from("data: [DONE]\n\n");

export interface ChatStream {
  readonly head: CompletionHead;
  readonly answer: Mapping["answer"];
  readonly wantsUsage: boolean;
}

export async function* chatStream(source: Readable | Iterable<Buffer>, chat: ChatStream): AsyncGenerator<Buffer> {
  const writer = chat.answer.kind === "text" ? new ChunkWriter(chat, chat.answer) : null;
  for await (const { raw, event } of rawEvents(source)) {
    const failure = ownError(event);
    if (failure !== null) {
      yield data({ error: failure });
      return;
    }
    if (writer === null) yield raw;
    else if (event !== null) yield* writer.take(event);
  }
  if (writer !== null) yield* writer.end();
}

// The router's error body as the last event.
function ownError(event: StreamEvent | null) {
  if (event?.name !== "error") return null;
  const read = jsonOf(event.data);
  return isRecord(read) && "detail" in read && "error_type" in read ? openaiError(502, event.data) : null;
}

const blank = /\r\n\r\n|\n\n|\r\r/;

// Bytes up to and including each blank line, with the event they make.
async function* rawEvents(source: Readable | Iterable<Buffer>) {
  let rest = "";
  for await (const chunk of source) {
    rest += Buffer.from(chunk).toString("latin1");
    for (;;) {
      const found = blank.exec(rest);
      if (found === null) break;
      const raw = Buffer.from(rest.slice(0, found.index + found[0].length), "latin1");
      rest = rest.slice(found.index + found[0].length);
      const [event = null] = streamEvents(raw);
      yield { raw, event };
    }
  }
  if (rest !== "") yield { raw: Buffer.from(rest, "latin1"), event: null };
}

class ChunkWriter {
  readonly #chat: ChatStream;
  readonly #mapping: TextAnswer;
  #hasBegun = false;
  #finish: unknown = null;
  #prompt: unknown = 0;
  #completion: unknown = 0;

  constructor(chat: ChatStream, mapping: TextAnswer) {
    this.#chat = chat;
    this.#mapping = mapping;
  }

  *take({ data: text }: StreamEvent): Generator<Buffer> {
    const event = jsonOf(text);
    if (event === undefined) return;
    const { event_text, event_finish, event_usage } = this.#mapping;
    const last = (pointers: readonly string[], before: unknown) =>
      pointers.map((pointer) => valueAt(event, pointer)).findLast((value) => value !== undefined) ?? before;
    this.#prompt = last(event_usage.prompt_tokens, this.#prompt);
    this.#completion = last(event_usage.completion_tokens, this.#completion);
    if (event_finish !== undefined) this.#finish = valueAt(event, event_finish) ?? this.#finish;
    const content = textAt(event, event_text);
    if (content !== "") yield* this.#words(content);
  }

  *end(): Generator<Buffer> {
    yield* this.#words("");
    yield this.#chunk({}, finishWord(this.#mapping, this.#finish));
    const { head, wantsUsage } = this.#chat;
    if (wantsUsage)
      yield data({
        ...head,
        object: "chat.completion.chunk",
        choices: [],
        usage: usageOf(this.#prompt, this.#completion),
      });
    yield done;
  }

  *#words(content: string): Generator<Buffer> {
    if (!this.#hasBegun) yield this.#chunk({ role: "assistant", content: "" }, null);
    this.#hasBegun = true;
    if (content !== "") yield this.#chunk({ content }, null);
  }

  #chunk(delta: object, finish: string | null): Buffer {
    return chunkOf(this.#chat.head, { index: 0, delta, logprobs: null, finish_reason: finish });
  }
}

function chunkOf(head: CompletionHead, choice: object): Buffer {
  return data({ ...head, object: "chat.completion.chunk", choices: [choice] });
}

// A completion that was not streamed, as a stream.
export function* wholeAsChunks(completion: unknown, { head, wantsUsage }: ChatStream): Generator<Buffer> {
  const choices = valueAt(completion, "/choices");
  for (const [at, choice] of Array.isArray(choices) ? choices.entries() : []) {
    const index = valueAt(choice, "/index") ?? at;
    yield chunkOf(head, { index, delta: valueAt(choice, "/message") ?? {}, finish_reason: null });
    yield chunkOf(head, { index, delta: {}, finish_reason: valueAt(choice, "/finish_reason") ?? "stop" });
  }
  const usage = valueAt(completion, "/usage");
  if (wantsUsage && usage !== undefined) yield data({ ...head, object: "chat.completion.chunk", choices: [], usage });
  yield done;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
