// The floors of the server: imports point downwards, areas do not see each other, capabilities use each other only along
// declared edges, and every module is entered through its index.ts. Capabilities also have shared-sql.ts, for other
// capabilities and the roof.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { capabilityEdges, testEdges } from "./capability-edges.ts";
import { floors, importsOf, isTestFile, locationOf, planted, type Sources, serverSources } from "./sources.ts";

test("the house follows its own rules", () => {
  assert.ok(serverSources.size > 50, "the sources were found");
  assert.deepEqual(wrongImports(serverSources), []);
});

describe("a planted fault is found", () => {
  const plants: readonly [string, string, string, RegExp][] = [
    [
      "an upward import",
      "foundation/planted.ts",
      'import { x } from "../areas/price-badges/index.ts";',
      /imports upwards/,
    ],
    [
      "an import between areas",
      "areas/account/planted.ts",
      'import { x } from "../price-badges/index.ts";',
      /imports sideways/,
    ],
    [
      "an undeclared edge between capabilities",
      "capabilities/audit/planted.ts",
      'import { x } from "../identity/index.ts";',
      /imports sideways/,
    ],
    [
      "a side door",
      "areas/account/planted.ts",
      'import { x } from "../../capabilities/identity/principal.ts";',
      /side door/,
    ],
    [
      "SQL of a capability in an area",
      "areas/account/planted.ts",
      'import { lockWorkspace } from "../../capabilities/identity/shared-sql.ts";',
      /side door/,
    ],
    [
      "a type import through the own door",
      "areas/account/planted.ts",
      'import type { x } from "./index.ts";',
      /own module/,
    ],
  ];
  for (const [name, path, text, expected] of plants) {
    test(name, () => {
      const [found = "nothing found", ...others] = wrongImports(planted(serverSources, [path, text]));
      assert.ok(found.startsWith(path), found);
      assert.match(found, expected);
      assert.deepEqual(others, []);
    });
  }
});

function wrongImports(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => wrongImportsOf(path, text));
}

function wrongImportsOf(path: string, text: string): string[] {
  const from = locationOf(path);
  if (from.floor === "roof") return [];
  return importsOf(path, text).flatMap((target) => {
    // Tests may use test/support, outside the sources.
    if (target.startsWith("..")) return isTestFile(path) ? [] : [`${path} imports from outside the house: ${target}`];
    const to = locationOf(target);
    const isOwnModule = from.floor === to.floor && from.module === to.module;
    if (isOwnModule) {
      const isOwnEntrance = from.floor !== "foundation" && target === `${to.floor}/${to.module}/index.ts`;
      return isOwnEntrance && !isTestFile(path) ? [`${path} enters its own module by ${target}`] : [];
    }
    if (from.floor === "foundation" && to.floor === "foundation") return [];
    const edges = [...(capabilityEdges[from.module] ?? []), ...((isTestFile(path) && testEdges[from.module]) || [])];
    const isDeclared = from.floor === "capabilities" && edges.includes(to.module);
    const problems: string[] = [];
    if (floors.indexOf(to.floor) > floors.indexOf(from.floor)) problems.push(`${path} imports upwards: ${target}`);
    if (from.floor === to.floor && !isDeclared) problems.push(`${path} imports sideways: ${target}`);
    const maySeeSql = from.floor === "capabilities" || isTestFile(path);
    const isSharedSql = maySeeSql && target === `capabilities/${to.module}/shared-sql.ts`;
    if ((to.floor === "capabilities" || to.floor === "areas") && !target.endsWith("/index.ts") && !isSharedSql)
      problems.push(`${path} uses a side door: ${target}`);
    return problems;
  });
}
