import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { composeStream } from "./compose-stream.ts";
import type { StreamDefinition } from "./stream-definition.ts";
import { streamEvents } from "./stream-events.ts";

const events = (...data: readonly unknown[]) =>
  Buffer.from(data.map((each) => `data: ${typeof each === "string" ? each : JSON.stringify(each)}\n\n`).join(""));

const chat: StreamDefinition = {
  member: "stream",
  end: { data: "[DONE]" },
  whole: [
    { from: "/id", into: "/id", as: "set" },
    { value: "whole", into: "/object", as: "set" },
    { each: "/choices", from: "/delta", into: "/choices/{index}/message", as: "merge", replaced: ["role", "id"] },
    { each: "/choices", from: "/finish_reason", into: "/choices/{index}/finish_reason", as: "set" },
    { from: "/usage", into: "/usage", as: "set" },
  ],
};

describe("the body of a stream", () => {
  test("texts are joined, roles replaced, tool calls put together by their index", () => {
    const call = (piece: object) => ({ choices: [{ index: 0, delta: { tool_calls: [{ index: 1, ...piece }] } }] });
    const bytes = events(
      { id: "a", choices: [{ index: 0, delta: { role: "assistant", content: "A " } }] },
      { id: "a", choices: [{ index: 0, delta: { role: "assistant", content: "quiet" } }] },
      call({ id: "call_1", function: { name: "look", arguments: '{"a"' } }),
      call({ id: "call_1", function: { arguments: ":1}" } }),
      { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
      { choices: [], usage: { tokens: 3 } },
      "[DONE]",
    );
    assert.deepEqual(composeStream(chat, bytes), {
      isComplete: true,
      document: {
        id: "a",
        object: "whole",
        choices: [
          {
            message: {
              role: "assistant",
              content: "A quiet",
              tool_calls: [{ index: 1, id: "call_1", function: { name: "look", arguments: '{"a":1}' } }],
            },
            finish_reason: "stop",
          },
        ],
        usage: { tokens: 3 },
      },
    });
  });

  test("texts that are JSON in pieces become what they say, and elements of a list follow one another", () => {
    const stream: StreamDefinition = {
      member: "stream",
      end: { pointer: "/type", equals: "stop" },
      whole: [
        { when: { pointer: "/type", equals: "start" }, from: "/block", into: "/content/{index}", as: "set" },
        { from: "/piece", into: "/content/{index}/input", as: "json" },
        { from: "/source", into: "/content/{index}/sources", as: "push" },
      ],
    };
    const bytes = events(
      { type: "start", index: 1, block: { input: {} } },
      { index: 1, piece: '{"a":' },
      { index: 1, piece: "[1]}" },
      { index: 1, source: "x" },
      { index: 1, source: "y" },
      { type: "stop" },
    );
    assert.deepEqual(composeStream(stream, bytes), {
      isComplete: true,
      document: { content: [{ input: { a: [1] }, sources: ["x", "y"] }] },
    });
  });

  test("without its last event a stream is cut short, and an unfinished event does not count", () => {
    const cut = Buffer.concat([events({ id: "a" }), Buffer.from('data: {"id":"b"}\n')]);
    assert.deepEqual(composeStream(chat, cut), { isComplete: false, document: { id: "a", object: "whole" } });
    assert.deepEqual(composeStream(chat, Buffer.alloc(0)), { isComplete: false, document: undefined });
  });

  test("hostile events change nothing outside the body and make no huge list", () => {
    const bytes = Buffer.concat([
      events({ choices: [{ index: 4_000_000_000, delta: { content: "x" } }] }),
      events({ choices: [{ index: -1, delta: { content: "x" } }] }),
      events({ choices: [{ index: "0/__proto__", delta: { content: "x" } }] }),
      events('{"choices":[{"index":0,"delta":{"__proto__":{"polluted":true},"content":"fine"}}]}'),
      events("not JSON", { id: ["a"] }, "[DONE]"),
    ]);
    const { document } = composeStream(chat, bytes);
    assert.deepEqual(document, { object: "whole", choices: [{ message: { content: "fine" } }], id: ["a"] });
    assert.equal(Reflect.get({}, "polluted"), undefined);
  });

  test("lines end with LF, CR or CRLF, data may have several lines, and comments are skipped", () => {
    const bytes = Buffer.from("\uFEFFevent: one\r\ndata: a\r\ndata:b\r\n\r\n: nothing\rdata: c\r\rid: 4\n\ndata\n\n");
    assert.deepEqual(
      [...streamEvents(bytes)],
      [
        { name: "one", data: "a\nb" },
        { name: null, data: "c" },
        { name: null, data: "" },
      ],
    );
  });
});
