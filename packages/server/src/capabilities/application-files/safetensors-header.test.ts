import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkedSafetensors } from "./safetensors-header.ts";

function aModel(header: unknown, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const text = Buffer.from(typeof header === "string" ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, data]);
}

const tensor = (begin: number, end: number, more: object = {}) => ({
  dtype: "U8",
  shape: [end - begin],
  data_offsets: [begin, end],
  ...more,
});

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function verdict(bytes: Buffer, pieceBytes = 7): Promise<string> {
  const passed: Uint8Array[] = [];
  try {
    for await (const chunk of checkedSafetensors(inPieces(bytes, pieceBytes))) passed.push(Buffer.from(chunk));
    assert.deepEqual(Buffer.concat(passed), bytes);
    return "a model";
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown ? String(thrown.code) : String(thrown);
  }
}

test("a model passes unchanged, in whatever pieces it comes", async () => {
  const model = aModel(
    {
      __metadata__: { format: "pt" },
      a: { dtype: "F16", shape: [2, 3], data_offsets: [0, 12] },
      b: tensor(12, 20),
      empty: tensor(20, 20),
    },
    Buffer.alloc(20, 7),
  );
  for (const size of [1, 2, 8, 9, 64, 1_000_000]) assert.equal(await verdict(model, size), "a model", `${size}`);
  assert.equal(await verdict(aModel({ x: tensor(0, 1, { dtype: "NEW" }) }, Buffer.alloc(1))), "a model");
});

const wrong: readonly (readonly [string, Buffer])[] = [
  ["nothing", Buffer.alloc(0)],
  ["less than a length", Buffer.from([1, 2, 3])],
  ["a pickle", Buffer.from("\x80\x02}q\x00(X\x05\x00\x00\x00hello", "latin1")],
  ["a zip archive", Buffer.from("PK\x03\x04aaaaaaaaaaaaaaaaaaaa", "latin1")],
  ["a length beyond the bytes", Buffer.concat([Buffer.from([200, 0, 0, 0, 0, 0, 0, 0]), Buffer.from('{"a":1}')])],
  ["a length beyond reason", Buffer.concat([Buffer.alloc(8, 255), Buffer.from("{}")])],
  ["a header that is no JSON", aModel("{nothing}")],
  ["a header that is a list", aModel([])],
  [
    "a header that is no UTF-8",
    Buffer.concat([Buffer.from([3, 0, 0, 0, 0, 0, 0, 0]), Buffer.from([0x7b, 0xff, 0x7d])]),
  ],
  ["an entry that is no tensor", aModel({ a: 1 })],
  ["a tensor without offsets", aModel({ a: { dtype: "U8", shape: [0] } })],
  ["a negative side", aModel({ a: { dtype: "U8", shape: [-1], data_offsets: [0, 1] } }, Buffer.alloc(1))],
  ["offsets in the wrong order", aModel({ a: { dtype: "NEW", shape: [1], data_offsets: [1, 0] } }, Buffer.alloc(1))],
  ["a shape that does not fit", aModel({ a: { dtype: "F32", shape: [2], data_offsets: [0, 7] } }, Buffer.alloc(7))],
  ["a hole", aModel({ a: tensor(0, 1), b: tensor(2, 3) }, Buffer.alloc(3))],
  ["an overlap", aModel({ a: tensor(0, 2), b: tensor(1, 3) }, Buffer.alloc(3))],
  ["bytes that nobody speaks of", aModel({ a: tensor(0, 1) }, Buffer.alloc(2))],
  ["too few bytes", aModel({ a: tensor(0, 5) }, Buffer.alloc(4))],
];
for (const [name, bytes] of wrong) {
  test(`${name} is no model`, async () => {
    for (const size of [1, 9, 4096]) assert.equal(await verdict(bytes, size), "validation_failed");
  });
}

test("arbitrary bytes fail only in this way, and are refused before the end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 50 }), async (bytes, size) => {
      assert.ok(["a model", "validation_failed"].includes(await verdict(Buffer.from(bytes), size)));
    }),
  );
});
