import assert from "node:assert/strict";
import { test } from "node:test";
import { compare, goneAfterMs, type KnownSubject, type Offered, stateOf } from "./release-note.ts";

const now = new Date("2026-05-01T00:00:00Z");
const offer = (subject: string, more: Partial<Offered> = {}): Offered => ({
  ...{ subject, fingerprint: "a", deprecatedAt: null, sunsetAt: null },
  ...more,
});
const known = (each: Offered, msAgo = 0): KnownSubject => ({
  ...{ subject: each.subject, state: stateOf(each), seenAt: new Date(now.getTime() - msAgo) },
});
const changes = (before: readonly KnownSubject[], offered: readonly Offered[]) =>
  compare("model", { known: before, offered, now }).notes.map(({ subject, change }) => `${change} ${subject}`);

test("a new subject is noted once, and an unchanged one not again", () => {
  assert.deepEqual(changes([], [offer("a/b")]), ["added a/b"]);
  assert.deepEqual(changes([known(offer("a/b"))], [offer("a/b")]), []);
});

test("what callers would notice is a change; a deprecation is noted as one, with its dates", () => {
  const before = [known(offer("a/b"))];
  assert.deepEqual(changes(before, [offer("a/b", { fingerprint: "b" })]), ["changed a/b"]);
  const deprecated = offer("a/b", { deprecatedAt: now, sunsetAt: new Date("2027-01-01T00:00:00Z") });
  const [note] = compare("model", { known: before, offered: [deprecated], now }).notes;
  assert.deepEqual([note?.change, note?.sunsetAt], ["deprecated", deprecated.sunsetAt]);
  assert.deepEqual(changes([known(deprecated)], [{ ...deprecated, fingerprint: "b" }]), ["changed a/b"]);
  assert.deepEqual(changes([], [deprecated]), ["added a/b", "deprecated a/b"]);
});

test("a subject counts as removed only after no process has seen it for ten minutes", () => {
  assert.deepEqual(changes([known(offer("a/b"), goneAfterMs - 1)], []), []);
  assert.deepEqual(changes([known(offer("a/b"), goneAfterMs)], []), ["removed a/b"]);
});
