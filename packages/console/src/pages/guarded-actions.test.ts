// The console offers no action that the role does not allow. Each operation that a page calls and that a viewer may not call is named by the button,
// the entry of a menu or the field that leads to it, which asks api/may.ts.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { leastRoleOf } from "../api/operation.ts";
import { operations } from "../api/operations.ts";

// Reached through a button that names another operation, which needs the same role.
const behind: Readonly<Record<string, string>> = {
  deleteJobOutput: "deleteAsset",
  getInvoicePdf: "listInvoices",
  keepModelOutput: "invokeModel",
  keepPlaygroundRun: "invokeModel",
  resumeWebhookEndpoint: "pauseWebhookEndpoint",
  replaceBadgeRow: "createBadgeRow",
  stopDeployment: "startDeployment",
};

// Called before there is a role.
const roleless = "signIn";

const guards = [
  /does=\{operations\.(\w+)\}/g,
  /does: operations\.(\w+)/g,
  /entry\([^;]*?operations\.(\w+)/g,
  /[wW]hyNot\((?:account, )?operations\.(\w+)/g,
];

function namesIn(texts: readonly string[], pattern: RegExp): Set<string> {
  return new Set(texts.flatMap((text) => [...text.matchAll(pattern)].flatMap(([, name]) => name ?? [])));
}

// The pages of operators too: auditors see them and change nothing.
const files = globSync("**/*.{ts,tsx}", { cwd: join(import.meta.dirname, "..") }).filter(
  (path) => !/\.test\.ts|generated/.test(path),
);
const texts = files.map((path) => readFileSync(join(import.meta.dirname, "..", path), "utf8"));
const named: Readonly<Record<string, string>> = { ...operations };
const roleOf = (id: string) => leastRoleOf(named[id] ?? assert.fail(`${id} is no operation`));
const guarded = new Set(guards.flatMap((pattern) => [...namesIn(texts, pattern)]));

test("every operation that a viewer may not call is named by what leads to it", () => {
  const called = [...namesIn(texts, /operations\.(\w+)/g)].filter((id) => id in named);
  const asked = called.filter((id) => id !== roleless && roleOf(id) !== "viewer" && roleOf(id) !== "auditor");
  assert.ok(asked.length > 40, "the pages were found");
  const open = asked.filter((id) => !guarded.has(id) && !guarded.has(behind[id] ?? ""));
  assert.deepEqual(open, []);
});

test("a button for several operations needs the role of each", () => {
  for (const [id, by] of Object.entries(behind)) assert.equal(roleOf(id), roleOf(by), id);
});

test("a guard that does not name an operation is found", () => {
  const planted = ["<Button onClick={() => call(operations.setRetention)} />"];
  assert.ok(!guards.some((pattern) => namesIn(planted, pattern).has("setRetention")));
});
