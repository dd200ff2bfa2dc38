import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nobody } from "../../capabilities/registry/index.ts";
import { readListQuery } from "./read-node-query.ts";
import { RegistryQuery } from "./registry-query.ts";

const pageOf = (text: string) => new RegistryQuery(new URLSearchParams(text)).readPage();

test("a page is always a page: at least 1, at most 100 entries, and never beyond what a database counts", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -999_999_999, max: 999_999_999 }),
      fc.integer({ min: -999_999_999, max: 999_999_999 }),
      (page, limit) => {
        const read = pageOf(`page=${page}&limit=${limit}`);
        assert.ok(read.page >= 1 && read.limit >= 1 && read.limit <= 100);
        assert.ok(read.offset === (read.page - 1) * read.limit && read.offset < 2 ** 31);
      },
    ),
  );
  assert.deepEqual(pageOf(""), { page: 1, limit: 10, offset: 0 });
  assert.deepEqual(pageOf(`limit=${"9".repeat(400)}`), { page: 1, limit: 100, offset: 0 });
});

test("any query is read or refused with 400, and never breaks anything else", () => {
  const names = fc.constantFrom(
    "page",
    "limit",
    "sort",
    "timestamp",
    "node_id",
    "latest",
    "include_banned",
    "supported_os",
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(names, fc.string({ unit: "binary" })), { maxLength: 8 }), (pairs) => {
      try {
        readListQuery(new URLSearchParams(pairs), nobody);
      } catch (thrown) {
        assert.equal(Reflect.get(Object(thrown), "code"), "invalid_request");
      }
    }),
  );
});

test("a parameter wrong in two ways reports the first, and each wrong parameter is reported", () => {
  const query = new RegistryQuery(new URLSearchParams("version=x&page=y"));
  assert.equal(query.readVersion("version"), undefined);
  query.problem("version", "is required");
  query.readPage();
  assert.throws(() => query.requireNoProblem(), {
    message: "The request is not valid: version is not a semantic version; page must be a whole number.",
  });
});

test("a moment has a zone, and a plus sign that was not encoded is understood", () => {
  const momentOf = (text: string) => {
    const query = new RegistryQuery(new URLSearchParams(`timestamp=${text}`));
    return query.readMoment("timestamp")?.toISOString();
  };
  assert.equal(momentOf("2026-01-31T12:00:00Z"), "2026-01-31T12:00:00.000Z");
  assert.equal(momentOf("2026-01-31T14:00:00.5+02:00"), "2026-01-31T12:00:00.500Z");
  for (const wrong of ["2026-01-31", "2026-01-31T12:00:00", "2026-13-31T12:00:00Z", "1", "now"])
    assert.equal(momentOf(wrong), undefined, wrong);
  // A time that the database cannot represent would break a dump in the middle.
  for (const wrong of ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00"])
    assert.equal(momentOf(wrong), undefined, wrong);
});
