import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../foundation/fault.ts";
import { requireNoPageForm } from "./application-guards.ts";

const codeOf = (headers: Record<string, string>) => {
  try {
    requireNoPageForm(headers);
    return null;
  } catch (thrown) {
    return thrown instanceof Fault ? thrown.code : "other";
  }
};

test("a prompt in a form that any page can send is refused, with or without an Origin", () => {
  const form = "application/x-www-form-urlencoded";
  for (const type of ["text/plain", "text/plain;charset=UTF-8", "TEXT/PLAIN", "multipart/form-data; boundary=x"])
    assert.equal(codeOf({ "content-type": type }), "invalid_content_type", type);
  assert.equal(codeOf({ "content-type": form, "sec-fetch-site": "same-site" }), "invalid_content_type");
});

test("what programs send passes: JSON, no type at all, and the form type of Python's standard library", () => {
  for (const type of ["application/json", "application/json; charset=utf-8", "application/x-www-form-urlencoded"])
    assert.equal(codeOf({ "content-type": type }), null, type);
  assert.equal(codeOf({}), null);
});
