import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readSave } from "./read-save.ts";

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
