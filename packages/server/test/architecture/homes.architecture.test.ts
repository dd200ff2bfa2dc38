// Each special concern of the server has one home: SQL in stores, the HTTP router, the environment, the clock. And in
// every package, a file has a name that says something and no default export.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { allSources, codeWithoutComments, isTestFile, planted, type Sources, serverSources } from "./sources.ts";

const emptyNames = /^(utils?|helpers?|common|misc|types|interfaces|constants|managers?|services?)$/;

test("each special construct is used only in its one home", () => {
  assert.deepEqual(homeless(serverSources), []);
});

// The test runner's reporter must be a default export.
const defaultExports: readonly string[] = ["scripts/test-reporter.mjs"];

test("in every package names say something, and nothing is a default export", () => {
  assert.ok(allSources.has("packages/console/src/main.tsx"), "pages too");
  assert.deepEqual(vague(allSources), []);
});

describe("a planted fault is found in every package", () => {
  const plants: readonly [path: string, text: string, expected: RegExp][] = [
    ["packages/server/src/foundation/utils.ts", "export const x = 1;", /says nothing/],
    ["packages/console/src/ui/helpers.tsx", "export const x = 1;", /says nothing/],
    ["packages/cli/test/common.test.ts", "export const x = 1;", /says nothing/],
    ["packages/console/src/ui/planted.tsx", "export default function Page() {}", /default export/],
    ["packages/cli/test/fixture.db.test.ts", "export const x = 1;", /is a fixture/],
  ];
  for (const [path, text, expected] of plants)
    test(`${path}: ${text}`, () => {
      const [found = "nothing found", ...others] = vague(planted(allSources, [path, text]));
      assert.ok(found.startsWith(path), found);
      assert.match(found, expected);
      assert.deepEqual(others, []);
    });
});

describe("a planted fault is found", () => {
  const plants: readonly [string, string, string, RegExp][] = [
    ["SQL outside a store", "areas/account/planted.ts", "const s = sql`select 1`;", /SQL outside/],
    ["a prepared statement outside a store", "areas/account/planted.ts", "preparedSql<A>`select 1`;", /SQL outside/],
    ["a store in an area", "areas/account/planted-store.ts", "sql`select 1`;", /is a store in an area/],
    ["the environment", "foundation/planted.ts", "export const x = process.env.HOME;", /environment/],
    ["the router", "areas/account/planted.ts", 'import findMyWay from "find-my-way";', /HTTP router/],
    ["any", "areas/account/planted.ts", "export const x: any = 1;", /says any/],
    ["the wall clock", "areas/account/planted.ts", "export const x = Date.now();", /clock/],
    ["a surface's name in v2", "areas/workflows/planted.ts", 'export const x = "cloud";', /surface/],
  ];
  for (const [name, path, text, expected] of plants) {
    test(name, () => {
      const [found = "nothing found", ...others] = homeless(planted(serverSources, [path, text]));
      assert.ok(found.startsWith(path), found);
      assert.match(found, expected);
      assert.deepEqual(others, []);
    });
  }
});

function vague(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    const problems: string[] = [];
    const name = (path.split("/").at(-1) ?? "").replace(/(\.\w+)*\.\w+$/, "");
    const code = codeWithoutComments(text);
    if (emptyNames.test(name)) problems.push(`${path} has a name that says nothing`);
    if (/fixture\b.*\.test\.ts$/.test(path)) problems.push(`${path} is a fixture: call it *.fixture.ts`);
    if (/^export default\b/m.test(code) && !defaultExports.includes(path))
      problems.push(`${path} has a default export`);
    return problems;
  });
}

function homeless(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => homelessIn(path, text));
}

function homelessIn(path: string, text: string): string[] {
  const problems: string[] = [];
  const code = codeWithoutComments(text);
  if (isTestFile(path)) return problems;
  const isDatabase = path.startsWith("foundation/database/");
  if (/\bsql`|\bpreparedSql</.test(code) && !path.endsWith("-store.ts") && !isDatabase)
    problems.push(`${path} holds SQL outside a store`);
  // An area translates. Decisions and storage belong to a capability, so that other code can use them without the area.
  if (path.startsWith("areas/") && path.endsWith("-store.ts") && path !== "areas/price-badges/badge-store.ts")
    problems.push(`${path} is a store in an area`);
  if (/(: any\b|\bas any\b|<any>)/.test(code)) problems.push(`${path} says any`);
  if (/\bprocess\.env\b/.test(code)) problems.push(`${path} reads the environment`);
  if (/from "(find-my-way|fastify)"/.test(code) && path !== "foundation/http/serve.ts")
    problems.push(`${path} knows the HTTP router`);
  if (/\bDate\.now\(\)/.test(code) && !["foundation/clock.ts", "foundation/ids.ts"].includes(path))
    problems.push(`${path} reads the clock by itself`);
  if (path.startsWith("areas/workflows/") && /\b(cloud|deployment|self-?hosted)\b/i.test(code))
    problems.push(`${path} names a surface`);
  return problems;
}
