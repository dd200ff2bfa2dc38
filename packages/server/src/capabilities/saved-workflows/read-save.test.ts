import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Fault } from "../../foundation/fault.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import { JsonTape } from "../../foundation/json/json-tape.ts";
import { readTape } from "../../foundation/json/read-tape.ts";
import { outlinePartly } from "./partial-document.ts";
import { readByTape, readSave, readWhole } from "./read-save.ts";
import { documentWords } from "./search-words.ts";

const spanned = (text: string) => {
  const bytes = Buffer.from(text);
  const { document } = readSave(bytes);
  return document === null ? null : bytes.subarray(document.start, document.end).toString();
};

describe("the document in the body of a save", () => {
  test("is found wherever it is, byte for byte", () => {
    const document = '{ "1" : {"class_type":"Note","inputs":{"text":"}\\"}{"}} }';
    for (const body of [
      `{"name":"x","document":${document}}`,
      `{"name":"x","document": ${document} \n } \n`,
      `{"document":${document},"name":"x"}`,
      `{"document":${document},"7":{"a":{}}}`,
      `{"doc\\u0075ment":${document}}`,
      `{"name":{"document":{}},"document":${document}}`,
    ])
      assert.equal(spanned(body), document, body);
    for (const body of ['{"document":[]}', '{"document":"{}"}', '{"name":"x"}', "[]"])
      assert.equal(spanned(body), null);
  });

  test("whatever is around it and in it", () => {
    const anything = fc.jsonValue({ maxDepth: 3 });
    const members = fc.dictionary(fc.string(), anything);
    fc.assert(
      fc.property(members, members, members, fc.nat(2), (before, document, after, indent) => {
        const { document: _, ...first } = before;
        const text = JSON.stringify(
          { ...first, document, ...after, ...("document" in after ? { document } : {}) },
          null,
          indent,
        );
        const found = spanned(text);
        assert.deepEqual(JSON.parse(found ?? "null"), JSON.parse(JSON.stringify(document)));
      }),
    );
  });
});

// What a reader makes of it, refusals included.
function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof Fault) return { code: thrown.code, message: thrown.message, details: thrown.details };
    throw thrown;
  }
}

function objectText(members: Readonly<Record<string, string>>): string {
  const texts = Object.keys(members).map((key) => `${JSON.stringify(key)}:${members[key]}`);
  return `{${texts.join(", ")}}`;
}

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("a lighthouse at dusk", 'a "b" \\ c', "\u0000", "😀"),
);
const name = fc.oneof(
  fc.constantFrom("1", "10", "2", "007", "4294967294", "4294967295", "-1", "__proto__", "nodes", "class_type"),
  fc.string({ maxLength: 4 }),
);
const literal = fc.oneof(
  fc.constantFrom(
    "0",
    "-0",
    "1.5e-7",
    "123456.7890123456789",
    "9007199254740993",
    "-18446744073709551615",
    "1E20",
    "1.0e400",
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
);
// A value as its JSON text, so that numbers are spelled freely.
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(
      text.map((given) => JSON.stringify(given)),
      literal,
      fc.constantFrom("true", "false", "null"),
    ),
    fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(",")}]`),
    fc.dictionary(name, tie("value"), { maxKeys: 3 }).map(objectText),
  ),
}));
const some = (members: Record<string, fc.Arbitrary<string>>) =>
  fc.record(members, { requiredKeys: [] }).map((given) => objectText(given as Record<string, string>));
const word = text.map((given) => JSON.stringify(given));
const inputs = fc.dictionary(name, fc.oneof(word, value, fc.constant('["1", 0]')), { maxKeys: 4 }).map(objectText);
const apiNode = some({
  class_type: fc.oneof(word, value),
  inputs: fc.oneof(inputs, value),
  _meta: some({ title: word }),
});
const list = (items: fc.Arbitrary<string>) => fc.array(items, { maxLength: 4 }).map((given) => `[${given.join(",")}]`);
const slot = some({ name: word, link: fc.constantFrom("1", "2", "null"), widget: some({ name: word }) });
const editorNode = some({
  id: fc.oneof(fc.constantFrom("1", "2", '"1"'), value),
  type: fc.oneof(word, value),
  title: fc.oneof(word, value),
  inputs: fc.oneof(list(slot), value),
  widgets_values: fc.oneof(list(fc.oneof(word, value)), inputs, value),
});
const level = {
  nodes: list(fc.oneof(editorNode, value)),
  links: fc.oneof(fc.constant('[[1,1,0,2,0,"IMAGE"],{"id":2,"origin_id":1,"origin_slot":0}]'), value),
};
const subgraphs = list(fc.oneof(some({ id: fc.oneof(word, value), ...level }), value));
const document = fc.oneof(
  fc.dictionary(name, fc.oneof(apiNode, value)).map(objectText),
  some({ ...level, definitions: fc.oneof(some({ subgraphs }), value), extra: value }),
  value,
);
const body = some({ name: word, document, tags: value });

describe("a save read by its tape", () => {
  test("is what reading all of it makes", () => {
    let count = 0;
    const property = fc.property(body, (given) => {
      const bytes = Buffer.from(given);
      const read = readByTape(bytes);
      if (read === null) return;
      count++;
      assert.deepEqual(read, readWhole(bytes), given);
    });
    fc.assert(property, { numRuns: 1_000 });
    assert.ok(count > 400, `only ${count} were read`);
  });

  test("is refused as it would be otherwise, whatever is wrong with it", () => {
    const pieces = [
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "\\",
      "\\u",
      "\\ud83d",
      "\\udc00",
      "0",
      "-",
      ".",
      "e",
      "\n",
      "\u0001",
      "\ufeff",
      " ",
    ];
    const edit = fc.record({ at: fc.nat(), gone: fc.nat(2), put: fc.constantFrom("", ...pieces) });
    fc.assert(
      fc.property(body, fc.array(edit, { minLength: 1, maxLength: 2 }), (given, edits) => {
        let changed = given;
        for (const { at, gone, put } of edits) {
          const from = at % (changed.length + 1);
          changed = changed.slice(0, from) + put + changed.slice(from + gone);
        }
        const bytes = Buffer.from(changed);
        assert.deepEqual(
          outcome(() => readSave(bytes)),
          outcome(() => readWhole(bytes)),
          changed,
        );
      }),
      { numRuns: 2_000 },
    );
  });

  test("keeps the limits of depth and of integers beyond a double, and finds a key that occurs twice", () => {
    const within = (inner: string) => `{"document":{"1":{"class_type":"A","inputs":{"x":${inner}}}}}`;
    const many = (count: number, item: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => item(at)).join(",");
    for (const [inner, isRefused] of [
      [`${"[".repeat(60)}${"]".repeat(60)}`, false],
      [`${"[".repeat(61)}${"]".repeat(61)}`, true],
      [`[${many(10_000, () => "9007199254740993")}]`, false],
      [`[${many(10_001, () => "9007199254740993")}]`, true],
      [`{${many(40, (at) => `"${"k".repeat(30_000)}${at}":9007199254740993`)}}`, false],
      [`{${many(17, (at) => `"k${at}":0`)},"k0":0}`, true],
      [`{${many(1_000, (at) => `"k${at}":0`)},"k0":0}`, true],
      [`{${many(1_000, (at) => `"k${at}":0`)},"k\\u0030":0}`, true],
    ] as const) {
      const bytes = Buffer.from(within(inner));
      const shown = inner.slice(0, 60);
      const read = outcome(() => readSave(bytes));
      assert.deepEqual(
        read,
        outcome(() => readWhole(bytes)),
        shown,
      );
      assert.equal(isRecord(read) && "code" in read, isRefused, shown);
    }
  });

  test("of thousands of nodes parses only what is searched for", () => {
    const node = `{"class_type":"Note","inputs":{"text":"${"word ".repeat(50)}"}}`;
    const bytes = Buffer.from(
      objectText(Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`n${at}`, node]))),
    );
    const tape = readTape(bytes, { depthMax: 64, keysMax: 250_000, valuesMax: 1_000_000, exactMax: 0 });
    assert.ok(tape);
    let parsed = 0;
    const { parse } = JsonTape.prototype;
    tape.parse = (value) => {
      parsed += tape.end(value) - tape.start(value);
      return parse.call(tape, value);
    };
    const { nodes } = outlinePartly(tape, 0, () => false);
    assert.equal(nodes.length, 5_000);
    assert.deepEqual(documentWords(nodes), ["class=Note", "note", "word"]);
    assert.ok(parsed < bytes.length / 5, `${parsed} of ${bytes.length}`);
  });
});
