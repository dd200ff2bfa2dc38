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

const simple = [
  "text/plain",
  "text/plain;charset=UTF-8",
  "TEXT/PLAIN",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
];

test("a prompt in a form that any page can send is refused where one sign of a browser comes along", () => {
  const signs = [
    { origin: "https://elsewhere.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { referer: "https://elsewhere.example/" },
  ];
  for (const type of simple)
    for (const sign of signs)
      assert.equal(codeOf({ "content-type": type, ...sign }), "invalid_content_type", JSON.stringify([type, sign]));
});

test("what programs send passes: JSON, no type at all, the text of Node's fetch and the form of Python's standard library", () => {
  for (const type of ["application/json", "application/json; charset=utf-8", ...simple])
    assert.equal(codeOf({ "content-type": type }), null, type);
  assert.equal(codeOf({ "content-type": "text/plain;charset=UTF-8", "sec-fetch-mode": "cors" }), null);
  assert.equal(codeOf({}), null);
});
