import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Fault } from "../fault.ts";
import { canonicalJson, parseJson } from "./json-bytes.ts";
import { scanJson } from "./json-scan.ts";

const bytesOf = (text: string) => Buffer.from(text, "utf8");
const limits = {
  valuesMax: 1e9,
  exactMax: 1e9,
  depthMax: 64,
  keysMax: 100_000,
  nul: "keep",
  vast: "refuse",
  halves: "refuse",
} as const;

function refusal(
  bytes: Uint8Array,
  options: Parameters<typeof parseJson>[1] = {},
): { reason: string; position: number } {
  try {
    parseJson(bytes, options);
  } catch (thrown) {
    assert.ok(thrown instanceof Fault && thrown.code === "invalid_json", String(thrown));
    const { details } = thrown;
    assert.ok(details && typeof details === "object" && "reason" in details && "position" in details);
    return { reason: String(details.reason), position: Number(details.position) };
  }
  return assert.fail(`accepted: ${Buffer.from(bytes).toString("utf8").slice(0, 80)}`);
}

describe("what is refused, and where", () => {
  const table: readonly [text: string, reason: string, position: number][] = [
    ["", "empty", 0],
    [" \n", "empty", 2],
    ['{"a":1,"a":1}', "duplicate_key", 7],
    ['{"a":1,"\\u0061":2}', "duplicate_key", 7],
    ['[{"x":{"é":1,"b":2,"\\u00e9":3}}]', "duplicate_key", 20],
    ['{"":1,"":2}', "duplicate_key", 6],
    ['{"__proto__":1,"__proto__":2}', "duplicate_key", 15],
    ['{"1":1,"1":2}', "duplicate_key", 7],
    ['{"a\\/b":1,"a/b":2}', "duplicate_key", 10],
    ["\ufeff{}", "byte_order_mark", 0],
    ["1e400", "number_out_of_range", 0],
    ['{"a":[1,-1e999]}', "number_out_of_range", 8],
    ['"\\ud800"', "lone_surrogate", 1],
    ['"\\udc00\\ud800"', "lone_surrogate", 1],
    ['{"\\ud83d":1}', "lone_surrogate", 2],
    ['"\\ud83d\\u0041"', "lone_surrogate", 1],
    ["{} {}", "trailing_data", 3],
    ["1 2", "trailing_data", 2],
    ['{"a":1,}', "syntax", 7],
    ["[1,]", "syntax", 3],
    ["{'a':1}", "syntax", 1],
    ["{a:1}", "syntax", 1],
    ["[01]", "syntax", 2],
    ["+1", "syntax", 0],
    [".5", "syntax", 0],
    ["1.", "trailing_data", 1],
    ["NaN", "syntax", 0],
    ["undefined", "syntax", 0],
    ['"a\nb"', "syntax", 2],
    ['"\\x41"', "syntax", 1],
    ['"\\u12g4"', "syntax", 3],
    ['"abc', "syntax", 4],
    ["[1", "syntax", 2],
    ['{"a"', "syntax", 4],
    ["// no\n1", "syntax", 0],
    ["\u00a01", "syntax", 0],
    ['{"a" 1}', "syntax", 5],
  ];
  for (const [text, reason, position] of table)
    test(`${JSON.stringify(text)} is refused as ${reason}`, () => {
      assert.deepEqual(refusal(bytesOf(text)), { reason, position });
    });

  test("bytes that are not UTF-8 are refused where they begin", () => {
    const broken = [
      [0x22, 0xff, 0x22],
      [0x22, 0xc0, 0xaf, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22],
      [0x22, 0x80, 0x22],
      [0x22, 0xe2, 0x82],
    ];
    for (const bytes of broken)
      assert.deepEqual(refusal(Uint8Array.from(bytes)), { reason: "invalid_utf8", position: 1 });
    assert.equal(refusal(Uint8Array.from([0x22, 0xc3, 0xa9, 0xff])).position, 3);
  });

  test("64 levels pass and 65 do not, in objects, arrays and unfinished texts", () => {
    const nested = (depth: number) => bytesOf(`${"[".repeat(depth)}${"]".repeat(depth)}`);
    assert.ok(parseJson(nested(64)));
    assert.deepEqual(refusal(nested(65)), { reason: "too_deep", position: 64 });
    assert.equal(refusal(bytesOf(`${'{"a":'.repeat(65)}1${"}".repeat(65)}`)).reason, "too_deep");
    assert.equal(refusal(bytesOf("[".repeat(100_000))).reason, "too_deep");
    assert.deepEqual(parseJson(bytesOf('"[[[["'), { depthMax: 0 }).value, "[[[[");
  });

  test("100,000 keys pass and one more does not", () => {
    const document = (count: number) => bytesOf(`{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join(",")}}`);
    assert.ok(parseJson(document(100_000)));
    assert.equal(refusal(document(100_001)).reason, "too_many_keys");
  });

  test("U+0000 is kept, or refused where the caller says so", () => {
    assert.deepEqual(parseJson(bytesOf('"a\\u0000"')).value, "a\u0000");
    assert.deepEqual(refusal(bytesOf('"a\\u0000"'), { nul: "refuse" }), { reason: "nul_character", position: 2 });
    assert.equal(parseJson(bytesOf('"a\\\\u0000"'), { nul: "refuse" }).value, "a\\u0000");
  });

  test("the message names byte, line and column, and shows at most 100 characters of a key", () => {
    const key = "k".repeat(5000);
    assert.throws(
      () => parseJson(bytesOf(`{\n "${key}":1,\n "${key}":2}`)),
      /at byte 5010 \(line 3, column 2\): the key "k{100}…"/,
    );
  });
});

describe("what is read", () => {
  test("members named __proto__ and constructor are plain data", () => {
    const { value } = parseJson(bytesOf('{"__proto__":{"polluted":true},"constructor":1}'));
    assert.ok(value && typeof value === "object");
    assert.deepEqual(Object.keys(value), ["__proto__", "constructor"]);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal(Reflect.get({}, "polluted"), undefined);
  });

  test("escaped pairs are whole characters", () => {
    assert.equal(parseJson(bytesOf('"\\ud83d\\ude00"')).value, "😀");
  });

  test("brackets and colons behind escaped quotes in long strings are text", () => {
    for (const length of [0, 46, 47, 48, 49, 200]) {
      const text = `${"x".repeat(length)}\\"${"[:".repeat(100)}\\\\\\"`;
      assert.equal(refusal(bytesOf(`{"a":"${text}"}`.slice(0, -1))).reason, "syntax");
      assert.deepEqual(parseJson(bytesOf(`{"a":"${text}"}`)).value, JSON.parse(`{"a":"${text}"}`));
    }
  });

  test("a view into a larger buffer is read within its bounds", () => {
    assert.deepEqual(parseJson(new Uint8Array(bytesOf('xx{"a":1}yy')).subarray(2, 9)).value, { a: 1 });
  });

  test("integers above 2^53 keep their digits, under their pointer", () => {
    const text =
      '{"seed":18446744073709551615,"small":9007199254740991,"a/b":[-9007199254740993,{"~":1.8446744073709551616e19}],' +
      '"fraction":1234567890123456.5,"text":"12345678901234567890","zeros":12345678901234567000.00}';
    assert.deepEqual(
      [...parseJson(bytesOf(text)).exactIntegers],
      [
        ["/seed", "18446744073709551615"],
        ["/a~1b/0", "-9007199254740993"],
        ["/a~1b/1/~0", "18446744073709551616"],
        ["/zeros", "12345678901234567000"],
      ],
    );
    assert.deepEqual([...parseJson(bytesOf("12345678901234567890")).exactIntegers], [["", "12345678901234567890"]]);
  });

  test("large integers in any spelling come out as the integer they are", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.nat(45), (integer, shift) => {
        const digits = `${integer < 0n ? -integer : integer}`.padStart(shift + 1, "0");
        const cut = digits.length - shift;
        const spelled = `${integer < 0n ? "-" : ""}${digits.slice(0, cut).replace(/^0+(?=\d)/, "")}.${digits.slice(cut)}0e${shift}`;
        const { exactIntegers } = scanJson(spelled, limits);
        const large = Math.abs(Number(integer)) > Number.MAX_SAFE_INTEGER;
        assert.deepEqual([...exactIntegers], large ? [["", `${integer}`]] : []);
      }),
      { numRuns: 500 },
    );
  });
});

describe("against the runtime's own parser", () => {
  const json = fc.json({ maxDepth: 6 });

  test("every text it writes is read to the same value", () => {
    fc.assert(
      fc.property(json, (text) => {
        assert.deepEqual(parseJson(bytesOf(text)).value, JSON.parse(text));
        assert.equal(scanJson(text, limits).problem, null);
      }),
      { numRuns: 500 },
    );
  });

  test("a text with one byte changed is refused whenever it refuses it, and never gives another value", () => {
    fc.assert(
      fc.property(json, fc.nat(), fc.nat(255), (text, where, byte) => {
        const bytes = bytesOf(text);
        bytes[where % bytes.length] = byte;
        const decoded = bytes.toString("utf8");
        let native: { value: unknown } | null = null;
        try {
          native = { value: JSON.parse(decoded) };
        } catch {}
        let ours: { value: unknown } | null = null;
        try {
          ours = parseJson(bytes);
        } catch {}
        if (ours) assert.deepEqual(ours.value, native?.value);
        else assert.ok(native === null || !Buffer.from(decoded).equals(bytes) || scanJson(decoded, limits).problem);
      }),
      { numRuns: 3000 },
    );
  });

  test("any object written with one of its keys twice is refused, however the second is spelled", () => {
    const escapeAll = (key: string) =>
      Array.from({ length: key.length }, (_, i) => `\\u${key.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue(), { minKeys: 1, noNullPrototype: true }),
        fc.nat(),
        fc.boolean(),
        fc.nat(9),
        (object, pick, escaped, depth) => {
          const keys = Object.keys(object);
          const key = keys[pick % keys.length] ?? "";
          const again = escaped ? `"${escapeAll(key)}"` : JSON.stringify(key);
          const text = `${JSON.stringify(object).slice(0, -1)},${again}:0}`;
          assert.equal(
            refusal(bytesOf(`${'{"d":['.repeat(depth)}${text}${"]}".repeat(depth)}`)).reason,
            "duplicate_key",
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("hostile sizes", () => {
  const size = 1 << 20;
  const hostile: readonly [name: string, text: string, reason: string | null][] = [
    ["open brackets", "[".repeat(size), "too_deep"],
    ["backslashes before a quote", `"${"\\".repeat(size)}"`, null],
    ["escaped quotes", `"${'\\"'.repeat(size / 2)}"`, null],
    ["an unclosed string", `"${"a".repeat(size)}`, "syntax"],
    ["digits", "9".repeat(size), "number_out_of_range"],
    ["zeros before the digit", `0.${"0".repeat(size)}1e3`, null],
    ["zeros that do not end the fraction", `1.${"0".repeat(size)}1e300`, null],
    ["spaces", `${" ".repeat(size)}x`, "syntax"],
    ["almost sixteen digits", `[${"123456789012345,".repeat(size / 16)}0]`, null],
    [
      "large integers under a long key",
      `{"${"k".repeat(size / 2)}":[${"12345678901234567,".repeat(size / 36)}0]}`,
      "too_many_exact_integers",
    ],
    ["surrogates", `"${"\\ud83d\\ude00".repeat(size / 12)}"`, null],
  ];
  for (const [name, text, reason] of hostile)
    test(`${name}: one pass over a mebibyte decides`, () => {
      if (reason === null) assert.ok(parseJson(bytesOf(text)));
      else assert.equal(refusal(bytesOf(text)).reason, reason);
    });
});

describe("canonical JSON", () => {
  test("the order of keys does not matter, everything else does", () => {
    assert.equal(
      canonicalJson({ b: [1, { d: null, c: "x" }], a: true, u: undefined }),
      '{"a":true,"b":[1,{"c":"x","d":null}]}',
    );
    assert.notEqual(canonicalJson([1, 2]), canonicalJson([2, 1]));
  });

  test("it reads back to the same value, and a shuffled copy gives the same bytes", () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, member]) => [key, shuffled(member)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const canonical = canonicalJson(value);
        assert.equal(canonical, canonicalJson(shuffled(value)));
        assert.deepEqual(JSON.parse(canonical), JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("integers that differ only above 2^53 give different bytes", () => {
    const canonical = (text: string) => {
      const { value, exactIntegers } = parseJson(bytesOf(text));
      return canonicalJson(value, exactIntegers);
    };
    assert.equal(canonical('{"s":[9007199254740993]}'), '{"s":[9007199254740993]}');
    assert.notEqual(canonical('{"s":9007199254740993}'), canonical('{"s":9007199254740992}'));
  });

  test("what is not JSON is a mistake and throws", () => {
    for (const value of [undefined, Number.NaN, 1n, () => 1, new Date(0), [undefined], new Map()])
      assert.throws(() => canonicalJson(value), TypeError);
  });
});
