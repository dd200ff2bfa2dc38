import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson } from "./json-bytes.ts";
import { KeyTable } from "./key-table.ts";
import { readTape } from "./read-tape.ts";

const wide = { depthMax: 64, keysMax: 1_000, valuesMax: 1_000, exactMax: 1_000 };
const digits = "9007199254740993";

test("a tape has the same limits as the parser", () => {
  for (const [limit, within, beyond] of [
    [{ depthMax: 3 }, "[[{}]]", "[[[[]]]]"],
    [{ keysMax: 3 }, '{"a":{"b":1,"c":2}}', '{"a":{"b":1,"c":2},"d":3}'],
    // Counted as brackets and commas, and one more.
    [{ valuesMax: 5 }, "[1,2,[3]]", "[1,2,[3],4]"],
    [{ exactMax: 2 }, `[${digits},-${digits}.0,1e3]`, `[${digits},${digits},1e20]`],
  ] as const) {
    const limits = { ...wide, ...limit };
    assert.ok(readTape(Buffer.from(within), limits), within);
    parseJson(Buffer.from(within), limits);
    assert.equal(readTape(Buffer.from(beyond), limits), null, beyond);
    assert.throws(() => parseJson(Buffer.from(beyond), limits), beyond);
  }
});

test("a tape leads to every member and item, and parses them as the parser does", () => {
  const text = ' {"a": [1, {"b": "\\u00e9 \\"x\\""}, []], "__proto__": {"c": 9007199254740993}, "ü": -1.5e-3 } ';
  const tape = readTape(Buffer.from(text), wide);
  assert.ok(tape);
  const whole = JSON.parse(text);
  assert.deepEqual(
    tape.keys(0).map((key) => [tape.name(key), tape.parse(key + 1)]),
    Object.entries(whole),
  );
  const list = tape.member(0, "a") ?? assert.fail();
  assert.deepEqual(
    tape.items(list).map((item) => tape.parse(item)),
    whole.a,
  );
  assert.deepEqual([tape.isArray(list), tape.isObject(list), tape.member(0, "b")], [true, false, null]);
});

test("a key that occurs twice among thousands is found, and keys chosen to collide are left to the parser", () => {
  const keys = Array.from({ length: 5_000 }, (_, at) => `k${at}`);
  const text = (names: readonly string[]) => Buffer.from(`{${names.map((name) => `"${name}":0`).join(",")}}`);
  const limits = { ...wide, keysMax: 10_000, valuesMax: 10_000 };
  assert.equal(readTape(text(keys), limits)?.keys(0).length, 5_000);
  for (const twice of ["k0", "k20", "k2500", "k4999"]) assert.equal(readTape(text([...keys, twice]), limits), null);
  const colliding = new KeyTable(() => false);
  assert.equal(
    keys.findIndex((_, at) => !colliding.add(7, at)),
    64,
  );
});
