// One operation, one handler, exported from a route file under the operation's id so that one search finds it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { operations } from "@atelier/contract";
import { isTestFile, planted, type Sources, serverSources } from "./sources.ts";

describe("one operation, one handler", () => {
  // The operations of partners come from definitions, and one handler serves all of them.
  const ids = Object.values(operations)
    .filter(({ path }) => !path.startsWith("/proxy/"))
    .map(({ id }) => id);

  test("exported from a route file under the operation's id", () => {
    assert.deepEqual(handlersAmiss(serverSources, ids), []);
  });

  test("a duplicate, a missing one and one outside a route file are found", () => {
    const twice = planted(serverSources, ["areas/admin/planted.route.ts", "export function getJobRoute() {}"]);
    assert.deepEqual(handlersAmiss(twice, ids), ["getJob has 2 handlers called getJobRoute"]);
    assert.deepEqual(handlersAmiss(serverSources, ["planted"]), ["planted has 0 handlers called plantedRoute"]);
    for (const text of ["const r = { operation: operations.getJob };", "const r = route(operations.getJob, handle);"]) {
      const outside = planted(serverSources, ["areas/admin/planted.ts", text]);
      assert.deepEqual(handlersAmiss(outside, ids), ["areas/admin/planted.ts handles getJob outside a route file"]);
    }
  });
});

function handlersAmiss(sources: Sources, operationIds: readonly string[]): string[] {
  const handlers = new Map<string, number>();
  const problems: string[] = [];
  for (const [path, text] of sources) {
    if (isTestFile(path)) continue;
    const isRouteFile = path.endsWith(".route.ts");
    for (const [, id = ""] of text.matchAll(/(?:\boperation: |\broute\()operations\.(\w+)/g))
      if (!isRouteFile) problems.push(`${path} handles ${id} outside a route file`);
    for (const [, id = ""] of text.matchAll(/^export (?:function|const) (\w+)Route\b/gm))
      if (isRouteFile) handlers.set(id, (handlers.get(id) ?? 0) + 1);
  }
  for (const id of operationIds) {
    const count = handlers.get(id) ?? 0;
    if (count !== 1) problems.push(`${id} has ${count} handlers called ${id}Route`);
  }
  return problems;
}
