import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readRange } from "../ui/range/range.ts";
import { day, flag, type GivenSearch, integerFrom, moment, searchReader, text, word } from "../ui/search-params.ts";
import { readBadgesSearch } from "./badges/badges-search.ts";
import { comparedIn, filterIn, isNarrowed, readGallerySearch } from "./gallery/search.ts";
import { readCompareSearch, readModelSearch, readModelsSearch } from "./models/model-search.ts";
import {
  readProvidersSearch,
  readSystemSearch,
  readWorkersSearch,
  readWorkspacesSearch,
} from "./operate/operate-search.ts";
import { readRequestsSearch } from "./requests/requests-search.ts";
import { readUsageSearch } from "./usage/usage-search.ts";
import { readWebhooksSearch } from "./webhooks/webhooks-search.ts";

const pages: Readonly<Record<string, (given: GivenSearch) => object>> = {
  badges: readBadgesSearch,
  gallery: readGallerySearch,
  models: readModelsSearch,
  model: readModelSearch,
  compare: readCompareSearch,
  system: readSystemSearch,
  providers: readProvidersSearch,
  workers: readWorkersSearch,
  workspaces: readWorkspacesSearch,
  requests: readRequestsSearch,
  usage: readUsageSearch,
  webhooks: readWebhooksSearch,
  range: readRange,
};

describe("one search parameter", () => {
  test("text is kept, and anything the router read as a number, a list or a map is text again", () => {
    const read = text();
    assert.equal(read("a b"), "a b");
    assert.equal(read(42), "42");
    assert.equal(read(true), "true");
    assert.equal(read([1, 2]), "[1,2]");
    assert.equal(read({ a: 1 }), '{"a":1}');
    for (const absent of [undefined, null, ""]) assert.equal(read(absent), undefined);
  });

  test("text is cut at its limit", () => {
    assert.equal(text(3)("abcdef"), "abc");
    assert.equal(text()("a".repeat(1_000))?.length, 300);
  });

  test("a word is one of the list, and nothing like it", () => {
    const read = word("rows", "preview");
    assert.equal(read("rows"), "rows");
    for (const other of ["Rows", "row", "", 0, null, ["rows"], undefined]) assert.equal(read(other), undefined);
  });

  test("a flag is on or absent", () => {
    assert.deepEqual([true, "true"].map(flag), [true, true]);
    for (const off of [false, "false", 0, 1, "1", null, undefined, ""]) assert.equal(flag(off), undefined);
  });

  test("a day has the form of a date", () => {
    assert.equal(day("2026-01-31"), "2026-01-31");
    for (const other of ["2026-1-31", "31.01.2026", "2026-01-31T00:00:00Z", 20260131])
      assert.equal(day(other), undefined);
  });

  test("a moment is written in UTC with milliseconds", () => {
    assert.equal(moment("2026-01-31T12:00:00+02:00"), "2026-01-31T10:00:00.000Z");
    for (const other of ["soon", "", 5, null]) assert.equal(moment(other), undefined);
  });

  test("an integer is whole, exact and not below its minimum", () => {
    const read = integerFrom(2);
    assert.deepEqual([2, "7", 1e6].map(read), [2, 7, 1_000_000]);
    for (const other of [1, 0, -3, 2.5, "x", Number.NaN, 2 ** 60, undefined]) assert.equal(read(other), undefined);
  });
});

describe("the search parameters of a page", () => {
  test("are those that its readers accept, and no others", () => {
    const read = searchReader({ tab: word("a"), q: text(5), open: flag });
    assert.deepEqual(read({ tab: "a", q: "hello world", open: true, other: 1 }), { tab: "a", q: "hello", open: true });
    assert.deepEqual(read({ tab: "b", q: "", open: "no" }), {});
  });

  for (const [name, read] of Object.entries(pages)) {
    test(`${name}: any address gives values that read the same again, and no absent member`, () => {
      const names = fc.constantFrom(
        ..."tab q kind status view mode range from to since starred page cursor node version platform".split(" "),
        ..."provider lang how request outcome models find workspace lines actor_kind action subject key peek".split(
          " ",
        ),
        ..."tail metric by api_key_id type receiver delivery family source label job asset compare".split(" "),
      );
      const words = fc.constantFrom(
        "audit",
        "tokens",
        "limits",
        "rows",
        "image",
        "24h",
        "queued",
        "dead",
        "7d",
        "table",
      );
      const days = fc.constantFrom("2026-01-31", "2026-01-31T00:00:00Z", "2026-02-31T00:00:00.000Z");
      const value = fc.oneof(
        words,
        days,
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(fc.string()),
      );
      fc.assert(
        fc.property(fc.dictionary(names, value), (given) => {
          const search = read(given);
          assert.deepEqual(read({ ...search }), search);
          assert.equal(Object.values(search).includes(undefined), false);
        }),
      );
    });
  }

  test("leave out the page's own defaults", () => {
    assert.deepEqual(readSystemSearch({ tab: "checks" }), {});
    assert.deepEqual(readSystemSearch({ tab: "audit", actor_kind: "person" }), { tab: "audit", actor_kind: "person" });
    assert.deepEqual(readSystemSearch({ actor_kind: "robot" }), {});
    assert.deepEqual(readWorkersSearch({ tab: "workers" }), {});
    assert.deepEqual(readWorkspacesSearch({ tab: "credits", lines: 5 }), { lines: "5" });
    assert.deepEqual(readWebhooksSearch({ tab: "deliveries", status: "dead" }), { status: "dead" });
  });

  test("of the requests and the usage include the range too", () => {
    assert.deepEqual(readRequestsSearch({ range: "24h", tail: true, key: "k" }), {
      range: "24h",
      tail: true,
      key: "k",
    });
    assert.deepEqual(readUsageSearch({ range: "2h", by: "outcome" }), { by: "outcome" });
  });
});

describe("the search parameters of the gallery", () => {
  test("separate the filter from what is open on top of it", () => {
    const search = readGallerySearch({
      kind: "image",
      starred: "true",
      asset: "a",
      compare: "a,b",
      mode: "flip",
      view: "table",
    });
    assert.deepEqual(filterIn(search), { kind: "image", starred: true });
    assert.equal(isNarrowed(search), true);
    assert.equal(isNarrowed(readGallerySearch({ asset: "a", view: "table" })), false);
  });

  test("compare at most four, and skip empty names", () => {
    assert.deepEqual(comparedIn({ compare: "a,,b,c,d,e" }), ["a", "b", "c", "d"]);
    assert.deepEqual(comparedIn({}), []);
  });

  test("keep a label that looks like a number", () => {
    assert.deepEqual(readGallerySearch({ label: 7, q: 12 }), { label: "7", q: "12" });
  });
});
