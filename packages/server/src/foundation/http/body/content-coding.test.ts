import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type ContentCoding, chooseCoding, rememberedCoding } from "./content-coding.ts";

const choices: readonly [string, ContentCoding][] = [
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, deflate", "gzip"],
  ["gzip;q=1.0, br;q=0.5", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0.000", "identity"],
  ["*", "br"],
  ["*;q=0", "identity"],
  ["*;q=0, gzip", "gzip"],
  ["gzip;q=0, *", "br"],
  ["identity", "identity"],
  ["identity;q=1, gzip;q=0.5", "identity"],
  ["identity;q=0.5, gzip;q=0.5", "gzip"],
  ["gzip;q=0.001", "gzip"],
  ["identity;q=0", "identity"],
  ["identity;q=0, br;q=0", "identity"],
  ["identity;q=0, gzip", "gzip"],
  ["zstd", "identity"],
  ["GZIP", "gzip"],
  ["x-gzip", "gzip"],
  [" gzip ; q=0.8 , br ; q=0.9 ", "br"],
  ["br;q=2", "identity"],
  ["br;q=", "identity"],
  [",,", "identity"],
];

for (const [header, coding] of choices) {
  test(`Accept-Encoding: ${header} gets ${coding}`, () => assert.equal(chooseCoding(header), coding));
}

test("without the header the plain bytes are sent", () => assert.equal(rememberedCoding()(undefined), "identity"));

test("any header gets one of the three, and the same one again", () => {
  const remembered = rememberedCoding(3);
  const word = fc.constantFrom("br", "gzip", "identity", "*", ";q=0", ";q=0.5", ",", " ", "deflate", "=", "q");
  fc.assert(
    fc.property(
      fc.array(word).map((words) => words.join("")),
      (header) => {
        assert.equal(remembered(header), header === "" ? "identity" : chooseCoding(header));
        assert.equal(remembered(header), remembered(header));
      },
    ),
  );
});
