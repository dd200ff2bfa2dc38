import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type CatalogModel, createCatalog } from "../../capabilities/model-calls/index.ts";
import { createCursors } from "../../foundation/cursor.ts";
import { Fault } from "../../foundation/fault.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { listModels, readListModels } from "./list-models.ts";

const cursors = createCursors({ secrets: [Buffer.alloc(32, 1)], clock: handClock() });
const model = (id: string) => ({ id, definition: { charges_on_policy_rejection: "no" } }) as CatalogModel;
const query = (text: string) => readListModels(new URLSearchParams(text), cursors);
const refused = (code: string) => (thrown: unknown) => thrown instanceof Fault && thrown.code === code;

test("walking the catalog with any page size visits each model once, while models come and go", () => {
  const id = fc.stringMatching(/^[a-z]{1,3}\/[a-z]{1,3}$/);
  fc.assert(
    fc.property(
      fc.uniqueArray(id, { minLength: 1, maxLength: 40 }),
      fc.uniqueArray(id, { maxLength: 10 }),
      fc.integer({ min: 1, max: 7 }),
      (stable, coming, limit) => {
        const visited: string[] = [];
        let cursor: string | undefined;
        for (let round = 0; ; round++) {
          const passing = coming.filter(
            (_, index) => (index + round) % 2 === 0 && !stable.includes(coming[index] ?? ""),
          );
          const catalog = createCatalog([...stable, ...passing].map(model));
          const page = listModels(
            catalog,
            query(cursor === undefined ? `limit=${limit}` : `limit=${limit}&cursor=${encodeURIComponent(cursor)}`),
            cursors,
          );
          visited.push(...page.data.map((entry) => entry.id));
          assert.ok(page.data.length <= limit && page.limit === limit);
          assert.equal(page.next_cursor === undefined, !page.has_more);
          if (!page.has_more) break;
          cursor = page.next_cursor;
        }
        assert.deepEqual(visited, [...visited].sort(), "bytewise order");
        assert.equal(new Set(visited).size, visited.length, "nothing twice");
        for (const one of stable) assert.ok(visited.includes(one), one);
      },
    ),
    { numRuns: 300 },
  );
});

test("limit: default 20, clamped at 100, zero and below the default, anything else refused (Spec, Router rule 1)", () => {
  assert.equal(query("").limit, 20);
  assert.equal(query("limit=5").limit, 5);
  assert.equal(query("limit=1000000").limit, 100);
  for (const digits of [15, 16, 20, 400]) {
    assert.equal(query(`limit=${"9".repeat(digits)}`).limit, 100);
    assert.equal(query(`limit=-${"9".repeat(digits)}`).limit, 20);
  }
  assert.equal(query("limit=0").limit, 20);
  assert.equal(query("limit=-3").limit, 20);
  for (const bad of ["limit=", "limit=abc", "limit=1.5", "limit=1e2", "limit=1&limit=2"])
    assert.throws(() => query(bad), refused("invalid_request"), bad);
});

test("a cursor we did not issue is refused, never restarted at page one (Spec, Router rule 2)", () => {
  for (const bad of ["cursor=", "cursor=abc", "cursor=sandbox/image-1", "cursor=20", `cursor=${"a".repeat(513)}`]) {
    assert.throws(() => query(bad), refused("invalid_request"), bad);
  }
});
