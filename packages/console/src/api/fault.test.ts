import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ApiFault, asFault, faultIn, faultOf } from "./fault.ts";

const faultWith = (body: unknown, headers: Readonly<Record<string, string>> = {}, status = 422) =>
  faultIn(status, new Headers(headers), body);

describe("a failure, whichever envelope the server used", () => {
  test("has the server's words", () => {
    assert.equal(faultWith({ message: "Generic." }).message, "Generic.");
    assert.equal(faultWith({ detail: "Of the router." }).message, "Of the router.");
    assert.equal(faultWith({ error: { message: "Of v2." } }).message, "Of v2.");
    assert.equal(faultWith({ error: "not_found" }).message, "not_found");
    assert.equal(faultWith({ detail: [{ msg: "One." }, { msg: "Two." }] }).message, "One. Two.");
  });

  test("has its own words where the answer has none: a proxy's page, or nothing", () => {
    for (const body of ["<html>Bad gateway</html>", "", null, {}, "x".repeat(400)])
      assert.match(faultWith(body, {}, 502).message, /502/);
    assert.equal(faultWith("upstream timed out", {}, 504).message, "upstream timed out");
  });

  test("has a code: from the header first, then from the body", () => {
    assert.equal(faultWith({ code: "b" }, { "x-service-error-type": "a" }).code, "a");
    assert.equal(faultWith({ code: "b" }).code, "b");
    assert.equal(faultWith({ error: { type: "c" } }).code, "c");
    assert.equal(faultWith({}).code, null);
  });

  test("has the request's id and the seconds to wait", () => {
    const fault = faultWith({}, { "x-service-request-id": "r", "retry-after": "7" });
    assert.deepEqual([fault.requestId, fault.retryAfter], ["r", 7]);
    for (const wrong of ["soon", "0", "-1", ""]) assert.equal(faultWith({}, { "retry-after": wrong }).retryAfter, null);
  });

  test("names its fields by path, however the server spells the path", () => {
    const fields = (body: unknown) => faultWith(body).fields.map(({ path, message }) => [path.join("."), message]);
    assert.deepEqual(fields({ detail: [{ loc: ["body", "prompt"], msg: "Too long." }] }), [
      ["body.prompt", "Too long."],
    ]);
    assert.deepEqual(fields({ details: { fields: [{ path: "/a/0", message: "No." }] } }), [["a.0", "No."]]);
    assert.deepEqual(fields({ error: { details: [{ field: "x.y", message: "No." }] } }), [["x.y", "No."]]);
    assert.deepEqual(fields({ errors: [{ field: "x" }] }), [], "a field without words is left out");
  });

  test("is made from any answer", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), fc.integer({ min: 400, max: 599 }), async (text, status) => {
        const fault = await faultOf(new Response(text, { status }));
        assert.equal(fault.status, status);
        assert.ok(typeof fault.message === "string");
      }),
    );
  });
});

describe("something thrown", () => {
  test("without an answer has status 0; a bug of the page has -1 and its words", () => {
    assert.equal(asFault(new TypeError("Failed to fetch")).status, 0);
    assert.doesNotMatch(asFault(new TypeError("Failed to fetch")).message, /fetch/);
    assert.deepEqual([asFault(new Error("Mine.")).status, asFault(new Error("Mine.")).message], [-1, "Mine."]);
    assert.equal(asFault("text").message, "text");
  });

  test("that is already a failure stays the same", () => {
    const fault = new ApiFault({ status: 404, message: "No." });
    assert.equal(asFault(fault), fault);
  });
});
