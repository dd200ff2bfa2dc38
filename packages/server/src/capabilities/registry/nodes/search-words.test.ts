import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newFields } from "./node-fields.ts";
import { queryWords, searchDocument } from "./search-words.ts";

const documentOf = (node: { id: string; name: string; description?: string; tags?: string[]; author?: string }) =>
  searchDocument({ nodeId: node.id, publisherId: null, fields: newFields(node) });

test("a title is found by its words, by both readings of its humps, and without its spaces", () => {
  const { words } = documentOf({ id: "Impact-Pack", name: "KSamplerAdvanced VAEDecode" });
  for (const word of ["impact", "pack", "impactpack", "ksampler", "sampler", "advanced", "vae", "decode", "vaedecode"])
    assert.ok(words.includes(word), word);
});

test("accents and case do not matter", () => {
  assert.deepEqual(queryWords("Détail ÉCLAIR"), ["detail", "eclair"]);
  assert.ok(documentOf({ id: "a", name: "Détail" }).words.includes("detail"));
});

test("a word gets the weight of the best field it occurs in", () => {
  const { document } = documentOf({ id: "light", name: "x", description: "light and dark", tags: ["dark"] });
  assert.match(document, /'light':1A/);
  assert.match(document, /'dark':1B/);
  assert.match(document, /'and':1D/);
});

test("documents and queries hold only words of letters and digits, and a bounded number", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (name, description) => {
      const { document, words } = documentOf({ id: "a", name: name || "x", description });
      for (const word of [...words, ...queryWords(description)]) {
        assert.match(word, /^[\p{L}\p{N}]+$/u);
        assert.ok(word.length <= 40);
      }
      assert.ok(words.length <= 1_000);
      assert.ok(document === "" || /^('[\p{L}\p{N}]+':1[A-D] ?)+$/u.test(document));
      assert.ok(queryWords(description).length <= 12);
    }),
  );
});
