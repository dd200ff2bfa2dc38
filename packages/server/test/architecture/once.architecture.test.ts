// Ideas that used to be written out in many files have one home in each package. A second home is recognised by code that
// it cannot do without.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { codeWithoutComments, planted, productSources, type Sources } from "./sources.ts";

interface Idea {
  readonly name: string;
  readonly sign: RegExp;
  readonly plant: string;
}

const ideas: readonly Idea[] = [
  {
    name: "whether a value is a record",
    sign: /\b(?:function|const) isRecord\b/,
    plant: 'const isRecord = (value: unknown) => typeof value === "object";',
  },
  {
    name: "the names in a JSON pointer",
    sign: /\("~1", "\/"\)|\("\/", "~1"\)/,
    plant: 'const name = part.replaceAll("~1", "/").replaceAll("~0", "~");',
  },
  { name: "the signature of S3", sign: /"AWS4-HMAC-SHA256|`AWS4\$/, plant: 'const algorithm = "AWS4-HMAC-SHA256";' },
  {
    name: "integers beyond 2^53 in JSON",
    sign: /\bsource\b[^;]*\bBigInt\(/,
    plant: "return isBeyond && source !== undefined ? BigInt(source) : value;",
  },
];

describe("an idea has one home in each package", () => {
  for (const { name, sign } of ideas)
    test(name, () => {
      assert.deepEqual(furtherHomes(productSources, sign), []);
    });
});

describe("a planted fault is found", () => {
  for (const { name, sign, plant } of ideas)
    test(name, () => {
      const sources = planted(
        productSources,
        ["packages/planted/src/one.ts", plant],
        ["packages/planted/src/two.ts", plant],
      );
      assert.deepEqual(furtherHomes(sources, sign), ["packages/planted/src/two.ts: see packages/planted/src/one.ts"]);
    });
});

function furtherHomes(sources: Sources, sign: RegExp): string[] {
  const homes = new Map<string, string>();
  return [...sources].flatMap(([path, text]) => {
    if (!path.startsWith("packages/") || !sign.test(codeWithoutComments(text))) return [];
    const unit = path.split("/")[1] ?? "";
    const home = homes.get(unit);
    if (home !== undefined) return [`${path}: see ${home}`];
    homes.set(unit, path);
    return [];
  });
}
