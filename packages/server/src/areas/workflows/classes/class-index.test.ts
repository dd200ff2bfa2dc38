import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type ClassIndex, classIndex, positionOf, startAfter } from "./class-index.ts";

const described = (names: readonly string[]) =>
  new Map(names.map((name, at) => [name, { display_name: `Class ${name}`, category: at % 2 === 0 ? "a/b" : "A" }]));
const anyName = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.string({ minLength: 150, maxLength: 255, unit: "grapheme" }),
);
const anyNames = fc.uniqueArray(anyName, { maxLength: 40 });

// Pages as a caller does: from position to position, each as the cursor carries it.
function walked(indexAt: (page: number) => ClassIndex, q: string, limit: number): string[] {
  const names: string[] = [];
  let position: readonly string[] | null = null;
  for (let page = 0; page < 200; page++) {
    const found = indexAt(page).search({ q, category: "" });
    const start: number = position === null ? 0 : startAfter(found, position);
    const part = found.slice(start, start + limit);
    names.push(...part.map(({ entry }) => entry.name));
    const last = part.at(-1);
    if (last === undefined || start + limit >= found.length) return names;
    position = positionOf(last);
    assert.ok(Buffer.byteLength(JSON.stringify(position)) < 330, "a cursor has room for it");
  }
  return assert.fail("the walk does not end");
}

test("pages of any size together are the whole list, once each, whatever the names are", () => {
  fc.assert(
    fc.property(anyNames, fc.integer({ min: 1, max: 9 }), fc.constantFrom("", "class", "a"), (names, limit, q) => {
      const index = classIndex(described(names), () => false);
      const all = index.search({ q, category: "" }).map(({ entry }) => entry.name);
      assert.deepEqual(
        walked(() => index, q, limit),
        all,
      );
      if (q === "")
        assert.deepEqual(
          all,
          [...names].sort((one, other) => (one < other ? -1 : 1)),
        );
    }),
  );
});

test("classes that come and go during a walk neither repeat nor hide others", () => {
  fc.assert(
    fc.property(anyNames, anyNames, fc.integer({ min: 1, max: 5 }), (stay, change, limit) => {
      const coming = change.filter((name) => !stay.includes(name));
      const [some, all] = [
        classIndex(described(stay), () => false),
        classIndex(described([...stay, ...coming]), () => false),
      ];
      const names = walked((page) => (page % 2 === 0 ? all : some), "", limit);
      assert.equal(new Set(names).size, names.length, "none twice");
      const short = stay.filter((name) => Buffer.byteLength(name) <= 200);
      for (const name of short) assert.ok(names.includes(name), name);
    }),
  );
});

test("a category holds what is below it, in any case, and nothing that only begins like it", () => {
  const index = classIndex(
    new Map([
      ["One", { category: "image" }],
      ["Two", { category: "Image/upscaling" }],
      ["Three", { category: "imagery" }],
      ["Four", null],
    ]),
    (name) => name === "Left out",
  );
  const within = (category: string) => index.search({ q: "", category }).map(({ entry }) => entry.name);
  assert.deepEqual(within("IMAGE/"), ["One", "Two"]);
  assert.deepEqual(within("image/upscaling"), ["Two"]);
  assert.deepEqual(within(""), ["Four", "One", "Three", "Two"]);
});
