import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { movedBetween } from "./moved-between.ts";

const at = (pathname: string, search: Readonly<Record<string, unknown>> = {}) => ({ pathname, search });

describe("a way through the console", () => {
  test("between a list and an entry names the entry, in both directions", () => {
    assert.equal(movedBetween(at("/console/jobs"), at("/console/jobs/7")), "7");
    assert.equal(movedBetween(at("/console/jobs/7"), at("/console/jobs", { q: "x" })), "7");
    assert.equal(movedBetween(at("/console/models"), at("/console/models/sandbox/image-1")), "sandbox/image-1");
    assert.equal(movedBetween(at("/console/gallery"), at("/console/gallery", { asset: "a" })), "a");
    assert.equal(movedBetween(at("/console/gallery", { asset: "a" }), at("/console/gallery")), "a");
  });

  test("anywhere else names nothing", () => {
    assert.equal(movedBetween(at("/"), at("/console/jobs")), null);
    assert.equal(movedBetween(at("/console/jobs"), at("/console/models")), null);
    assert.equal(movedBetween(at("/console/jobs/7"), at("/console/jobs/8")), null);
    assert.equal(movedBetween(at("/console/jobs"), at("/console/jobs", { q: "x" })), null);
    assert.equal(movedBetween(at("/console/work"), at("/console/workers")), null);
    // The next picture in the viewer.
    assert.equal(movedBetween(at("/console/gallery", { asset: "a" }), at("/console/gallery", { asset: "b" })), null);
  });
});
