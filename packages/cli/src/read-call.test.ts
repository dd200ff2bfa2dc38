import assert from "node:assert/strict";
import { test } from "node:test";
import { readCall } from "./read-call.ts";
import { ClientProblem } from "./server/client-problem.ts";

const listed = {
  name: "things",
  words: { put: ["file…"], get: ["id"], ls: [], end: ["id…?"] },
  options: {
    input: { type: "string", short: "i", multiple: true, about: "" },
    limit: { type: "string", about: "" },
    yes: { type: "boolean", about: "" },
  },
} as const;

const refusal = (...words: string[]): string => {
  try {
    readCall(listed, words).whole("limit", 1, 10);
  } catch (error) {
    assert.ok(error instanceof ClientProblem && error.kind === "usage");
    assert.equal(error.facts.hint, "atelier help things");
    return error.message;
  }
  return "";
};

test("a call has its verb, its words, and flags that may be short and repeated", () => {
  const call = readCall(listed, ["put", "a", "-i", "x=1", "b", "--input=y=2", "--yes"]);
  assert.equal(call.verb, "put");
  assert.deepEqual(call.words, ["a", "b"]);
  assert.deepEqual(call.texts("input"), ["x=1", "y=2"]);
  assert.equal(call.text("limit"), undefined);
  assert.equal(call.has("yes"), true);
  assert.equal(readCall(listed, ["ls", "--limit", "3"]).whole("limit", 1, 10), 3);
});

test("a verb is also understood by the word that other programs use for it", () => {
  assert.equal(readCall(listed, ["list", "--limit", "3"]).verb, "ls");
  assert.match(refusal("rm", "x"), /^Unknown subcommand "rm"/);
  const both = { ...listed, words: { remove: ["id"], delete: ["id"], new: [] } };
  assert.equal(readCall(both, ["delete", "7"]).verb, "delete");
  assert.equal(readCall(both, ["create"]).verb, "new");
  assert.throws(() => readCall(both, ["rm", "7"]), /Unknown subcommand "rm"/);
});

test("every problem of a call is reported at once, with a suggestion", () => {
  assert.equal(refusal("get", "--limt", "3"), 'Unknown flag --limt. Did you mean "--limit"?');
  assert.equal(refusal("gett", "7"), 'Unknown subcommand "gett". Did you mean "get"? Subcommands: put, get, ls, end.');
  assert.equal(refusal("put"), "Missing: <file…>.");
  assert.equal(refusal("ls", "x"), "Unexpected arguments: x.");
  assert.equal(refusal("ls", "--yes=no"), "--yes takes no value.");
  assert.equal(refusal("ls", "--limit"), "--limit needs a value.");
  assert.equal(refusal("ls", "--limit", "11"), "--limit must be a whole number from 1 to 10.");
  assert.equal(refusal(), "Missing a subcommand: put, get, ls, end.");
  assert.equal(refusal("end"), "");
  assert.equal(refusal("end", "a", "b"), "");
});
