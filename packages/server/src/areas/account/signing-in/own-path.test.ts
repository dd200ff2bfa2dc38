import assert from "node:assert/strict";
import { test } from "node:test";
import { ownPath } from "./own-path.ts";

test("only our own paths are redirect targets", () => {
  for (const path of ["/", "/console/jobs?status=failed#x", "/profile/api-keys"]) assert.equal(ownPath(path), path);
  for (const text of [
    null,
    undefined,
    "",
    "console",
    "//evil.example",
    "/\\evil.example",
    "/a\\b",
    "/\t/evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "/ä",
    "/sign-in?return_to=/",
    `/${"x".repeat(1_000)}`,
  ])
    assert.equal(ownPath(text), "/");
});
