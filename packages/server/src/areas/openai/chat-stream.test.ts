import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type ChatStream, chatStream, wholeAsChunks } from "./chat-stream.ts";
import type { TextAnswer } from "./mapping.ts";

const head = { id: "chatcmpl-1", created: 5, model: "a/b" };
const text: TextAnswer = {
  kind: "text",
  text: "/text",
  event_text: "/text",
  event_finish: "/stop",
  finish_words: { long: "length" },
  usage: { prompt_tokens: "/usage/in", completion_tokens: "/usage/out" },
  event_usage: { prompt_tokens: ["/usage/in"], completion_tokens: ["/usage/out"] },
};
const chat = (more: Partial<ChatStream> = {}): ChatStream => ({ head, answer: text, wantsUsage: true, ...more });

async function written(source: readonly string[], given: ChatStream): Promise<string> {
  const pieces = await Array.fromAsync(
    chatStream(
      source.map((each) => Buffer.from(each)),
      given,
    ),
  );
  return Buffer.concat(pieces).toString();
}

const chunksIn = (stream: string): unknown[] =>
  stream
    .split("\n\n")
    .filter((each) => each.startsWith("data: {"))
    .map((each) => JSON.parse(each.slice(6)));

describe("a chat as a stream", () => {
  test("texts in events become chunks wherever the bytes are cut; the finish reason, the usage and [DONE] follow", async () => {
    const source =
      'data: {"text":"A "}\n\ndata: {"text":"café"}\n\ndata: {"stop":"long","usage":{"in":2,"out":3}}\n\ndata: [DONE]\n\n';
    const bytes = Buffer.from(source);
    const whole = await written([source], chat());
    const cut = await Array.fromAsync(
      chatStream([bytes.subarray(0, 31), bytes.subarray(31, 40), bytes.subarray(40)], chat()),
    );
    assert.equal(Buffer.concat(cut).toString(), whole);
    const chunk = (delta: object, finish_reason: string | null) => ({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    });
    assert.deepEqual(chunksIn(whole), [
      chunk({ role: "assistant", content: "" }, null),
      chunk({ content: "A " }, null),
      chunk({ content: "café" }, null),
      chunk({}, "length"),
      {
        ...head,
        object: "chat.completion.chunk",
        choices: [],
        usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
      },
    ]);
    assert.ok(whole.endsWith("data: [DONE]\n\n"));
  });

  test("events of the right shape pass byte for byte", async () => {
    const source = ': hello\n\nevent: x\r\ndata: {"choices":[]}\r\n\r\ndata: [DONE]\n\n';
    assert.equal(await written([source.slice(0, 9), source.slice(9)], chat({ answer: { kind: "own" } })), source);
  });

  test("an error at the end has the shape of OpenAI's errors, and no [DONE] follows it", async () => {
    const error = 'event: error\ndata: {"detail":"It broke off.","error_type":"provider_error"}\n\n';
    for (const answer of [text, { kind: "own" } as const]) {
      const stream = await written(['data: {"text":"A"}\n\n', error], chat({ answer }));
      assert.deepEqual(chunksIn(stream).at(-1), {
        error: { message: "It broke off.", type: "server_error", param: null, code: "provider_error" },
      });
      assert.doesNotMatch(stream, /DONE/);
    }
  });

  test("a caller that asked for a stream gets a plain answer as a stream with one piece of text", () => {
    const completion = {
      choices: [{ message: { role: "assistant", content: "A" }, finish_reason: "stop" }],
      usage: { x: 1 },
    };
    const stream = Buffer.concat([...wholeAsChunks(completion, chat())]).toString();
    assert.equal(chunksIn(stream).length, 3);
    assert.ok(stream.endsWith("data: [DONE]\n\n"));
  });
});
