import assert from "node:assert/strict";
import { test } from "node:test";
import { aModel } from "../../../test/support/provider-example-calls.ts";
import { retirementHeaders } from "../../foundation/http/retirement-headers.ts";
import { isGone, marksOf, modelDigest } from "./model-marks.ts";

const at = (text: string) => new Date(`${text}T00:00:00Z`);
const nothing = { deprecatedAt: null, sunsetAt: null, verifiedAt: null, verifiedDigest: null };

test("a live check counts for the definition that was called, and for no other", () => {
  const model = aModel({});
  const stored = { ...nothing, verifiedAt: at("2026-03-01"), verifiedDigest: modelDigest(model) };
  assert.deepEqual(marksOf(model, stored).verifiedAt, at("2026-03-01"));
  assert.equal(marksOf({ ...model, title: "Another" }, stored).verifiedAt, null);
  assert.equal(marksOf(model, undefined).verifiedAt, null);
});

test("an operator's dates come before the definition's", () => {
  const model = aModel({ deprecated_at: "2026-01-01T00:00:00Z", sunset_at: "2026-06-01T00:00:00Z" });
  assert.deepEqual(marksOf(model, undefined).sunsetAt, at("2026-06-01"));
  const marks = marksOf(model, { ...nothing, deprecatedAt: at("2026-02-01") });
  assert.deepEqual([marks.deprecatedAt, marks.sunsetAt], [at("2026-02-01"), null]);
});

test("a model is gone from its sunset on, and not a moment before", () => {
  const marks = { ...nothing, deprecatedAt: at("2026-01-01"), sunsetAt: at("2026-06-01") };
  assert.equal(isGone(marks, new Date(at("2026-06-01").getTime() - 1)), false);
  assert.equal(isGone(marks, at("2026-06-01")), true);
});

test("what is not deprecated sends neither header; a date without a sunset sends one", () => {
  assert.deepEqual(retirementHeaders(nothing), {});
  assert.deepEqual(retirementHeaders({ deprecatedAt: at("2026-01-01"), sunsetAt: null }), {
    deprecation: "@1767225600",
  });
});
