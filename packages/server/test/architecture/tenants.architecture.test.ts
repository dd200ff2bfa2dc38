// A statement that touches rows of workspaces names the workspace, or its store is on a list with how many do not, and why.
// It reads the statements as they are written, so a new one without a workspace does not pass unseen; tenancy.db.test.ts asks
// every route as another workspace. Decision 0049.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { acrossTenants } from "./across-tenants.ts";
import { codeWithoutComments, isTestFile, oncePerText, planted, type Sources, serverSources } from "./sources.ts";

const folder = join(import.meta.dirname, "../../migrations");
const tenantTables = tablesWithWorkspace(
  globSync("*.sql", { cwd: folder })
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8")),
);
const home = "capabilities/";
const unnamedIn = oncePerText((text) => statementsIn(codeWithoutComments(text)).filter(isUnnamed));

test("the tables of workspaces are found", () => {
  for (const name of ["assets", "jobs", "api_keys", "usage", "error_answers"]) assert.ok(tenantTables.has(name), name);
  for (const name of ["workspaces", "blobs", "people"]) assert.ok(!tenantTables.has(name), name);
});

test("every statement names the workspace, or is counted with its reason", () => {
  assert.deepEqual(differences(serverSources), []);
});

describe("a planted fault is found", () => {
  const path = "capabilities/assets/planted-store.ts";
  const plants: readonly [name: string, statement: string][] = [
    ["a read by id alone", `sql\`select * from assets where id = ${"$"}{id}\``],
    ["a join", "sql`select 1 from blobs b join assets a on a.hash = b.hash`"],
    ["an update", "sql`update jobs set state = 'failed'`"],
    ["a deletion", "sql`delete from api_keys where id = 1`"],
    ["one that only reads the column", "sql`select workspace_id, id from assets where id = 1`"],
    ["a prepared one", `preparedSql<Wanted>\`select 1 from jobs where id = ${"$"}{({ id }) => id}\``],
  ];
  for (const [name, statement] of plants)
    test(name, () => {
      const found = differences(planted(serverSources, [path, `const found = ${statement};`]));
      assert.deepEqual(found, [`${path} has 1 statements without a workspace, and the list says 0`]);
    });

  test("one more in a store of the list", () => {
    const [listed = ""] = Object.keys(acrossTenants);
    const text = `${serverSources.get(home + listed)}\nconst more = sql\`select 1 from assets\`;`;
    assert.equal(differences(planted(serverSources, [home + listed, text])).length, 1);
  });

  test("a line of the list that is no longer needed", () => {
    const [listed = ""] = Object.keys(acrossTenants);
    assert.equal(differences(planted(serverSources, [home + listed, ""])).length, 1);
  });
});

describe("a statement that names the workspace passes", () => {
  const passing = [
    `sql\`select 1 from assets where id = ${"$"}{id} and workspace_id = ${"$"}{workspaceId}\``,
    "sql`insert into assets (id, workspace_id) values (1, 2)`",
    "sql`update jobs j set state = 'failed' from given where j.workspace_id = given.workspace_id`",
    `sql\`select 1 from jobs where ${"$"}{sql\`workspace_id = ${"$"}{id}\`}\``,
    "sql`select 1 from blobs`",
  ];
  for (const statement of passing)
    test(statement, () => assert.deepEqual(statementsIn(statement).filter(isUnnamed), []));
});

function tablesWithWorkspace(texts: readonly string[]): ReadonlySet<string> {
  const tables = new Set<string>();
  for (const text of texts) {
    const code = text.replaceAll(/--.*$/gm, "");
    for (const [, name = "", body = ""] of code.matchAll(
      /create (?:unlogged )?table (?:if not exists )?(\w+)\s*\(([\s\S]*?)\n\)/gi,
    ))
      if (/^\s*workspace_id\s/m.test(body)) tables.add(name);
    for (const [, name = ""] of code.matchAll(/alter table (\w+)[^;]*add column (?:if not exists )?workspace_id/gi))
      tables.add(name);
    for (const [, old = "", name = ""] of code.matchAll(/alter table (\w+) rename to (\w+)/gi))
      if (tables.delete(old)) tables.add(name);
    for (const [, name = ""] of code.matchAll(/drop table (?:if exists )?(\w+)/gi)) tables.delete(name);
  }
  return tables;
}

function differences(sources: Sources): string[] {
  const paths = new Set([...sources.keys(), ...Object.keys(acrossTenants).map((name) => home + name)]);
  return [...paths].flatMap((path) => {
    if (isTestFile(path) || !path.endsWith("-store.ts")) return [];
    const found = unnamedIn(sources.get(path) ?? "").length;
    const [listed] = acrossTenants[path.replace(home, "")] ?? [0];
    return found === listed ? [] : [`${path} has ${found} statements without a workspace, and the list says ${listed}`];
  });
}

// Whole statements: what is written inside of `${…}` belongs to them.
function statementsIn(code: string): string[] {
  const found: string[] = [];
  const opening = /\b(?:sql|preparedSql)(?:<[^`]*?>)?`/g;
  for (let start = opening.exec(code); start; start = opening.exec(code)) {
    const end = endOfTemplate(code, opening.lastIndex);
    found.push(code.slice(start.index, end));
    opening.lastIndex = end;
  }
  return found;
}

// Behind the backtick that ends the template whose text begins at `from`.
function endOfTemplate(code: string, from: number): number {
  for (let at = from; at < code.length; at++) {
    if (code[at] === "\\") at++;
    else if (code[at] === "`") return at + 1;
    else if (code.startsWith("${", at)) at = endOfInsertion(code, at + 2) - 1;
  }
  return code.length;
}

// Behind the brace that ends the insertion.
function endOfInsertion(code: string, from: number): number {
  for (let at = from, depth = 1; at < code.length; at++) {
    if (code[at] === "`") at = endOfTemplate(code, at + 1) - 1;
    else if (code[at] === "{") depth++;
    else if (code[at] === "}" && --depth === 0) return at + 1;
  }
  return code.length;
}

function isUnnamed(statement: string): boolean {
  const touched = [...statement.matchAll(/\b(?:from|join|update|into|using)\s+(?:only\s+)?"?(\w+)/gi)];
  if (!touched.some(([, name = ""]) => tenantTables.has(name))) return false;
  const names =
    /workspace_id"?\s*(?:=|in\b|is not distinct)|=\s*(?:\w+\.)?workspace_id\b|insert into\s+\w+[^(]*\([^)]*\bworkspace_id|\$\{[^`}]*workspaceId/i;
  return !names.test(statement);
}
