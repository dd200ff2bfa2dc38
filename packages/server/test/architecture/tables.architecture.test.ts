// A table belongs to one module: only one capability or area names it in SQL, for reading or writing, and every other
// asks that module. The same goes for functions of the database. Foundation, surfaces and processes own none. Tests may
// look into any table. Foreign keys and triggers are in the migrations and are part of the tables they guard.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  codeWithoutComments,
  isTestFile,
  moduleOf,
  oncePerText,
  planted,
  type Sources,
  serverSources,
} from "./sources.ts";

const folder = join(import.meta.dirname, "../../migrations");
const migrations = globSync("*.sql", { cwd: folder }).map((name) => readFileSync(join(folder, name), "utf8"));
const names = namesIn(migrations);
const namesInStore = oncePerText((text) => namesUsed(true, codeWithoutComments(text)));
const namesElsewhere = oncePerText((text) => namesUsed(false, codeWithoutComments(text)));

test("the tables and functions of the migrations are found", () => {
  for (const name of ["workspaces", "rate_buckets", "registry_words"]) assert.ok(names.tables.has(name), name);
  for (const name of ["forget_audit_entries", "registry_near_words"]) assert.ok(names.functions.has(name), name);
  assert.ok(!names.functions.has("refuse_audit_change"), "a trigger is called by its table");
});

test("a table belongs to one module", () => {
  assert.deepEqual(wronglyNamed(serverSources), []);
});

test("every table is used by its module", () => {
  const named = new Set(namings(serverSources).map(({ name }) => name));
  assert.deepEqual(
    [...names.tables].filter((name) => !named.has(name)),
    [],
  );
});

test("at most five stores of a module write the same table, besides the one that deletes a workspace", () => {
  assert.deepEqual(tooManyWriters(serverSources), []);
});

describe("a planted fault is found", () => {
  const plants: readonly [name: string, path: string, text: string, table: string][] = [
    ["a read", "capabilities/audit/planted-store.ts", "sql`select 1 from wallets`", "wallets"],
    [
      "a join",
      "capabilities/audit/planted-store.ts",
      "sql`select 1 from audit_entries join wallets w on true`",
      "wallets",
    ],
    [
      "a second table after a comma",
      "capabilities/audit/planted-store.ts",
      "sql`select 1 from audit_entries as e, wallets w`",
      "wallets",
    ],
    ["a write", "areas/admin/planted-store.ts", "sql`INSERT INTO\n  wallets (id) values (1)`", "wallets"],
    ["an update", "areas/admin/planted-store.ts", "sql`update only wallets set held = 0`", "wallets"],
    ["a deletion", "areas/admin/planted-store.ts", "sql`delete from api_keys using wallets where true`", "wallets"],
    ["a truncation", "areas/admin/planted-store.ts", 'sql`truncate table "wallets"`', "wallets"],
    ["a name handed to a helper", "capabilities/backup/planted-store.ts", 'emptied(db, "wallets")', "wallets"],
    ["a long name handed to a helper, in any file", "processes/planted.ts", 'emptied(db, "api_keys")', "api_keys"],
    [
      "a function of the database",
      "areas/admin/planted-store.ts",
      "sql`select forget_audit_entries(1, 2)`",
      "forget_audit_entries",
    ],
    ["a floor without tables", "foundation/planted-store.ts", "sql`select 1 from wallets`", "wallets"],
  ];
  for (const [name, path, text, table] of plants) {
    test(name, () => {
      const found = wronglyNamed(planted(serverSources, [path, text]));
      assert.equal(found.filter((sentence) => sentence.startsWith(`${table} `)).length, 1, found.join("\n"));
      assert.ok(found.some((sentence) => sentence.includes(path)));
    });
  }

  test("a table that only the foundation uses", () => {
    const sources = new Map([["foundation/planted-store.ts", "sql`select 1 from wallets`"]]);
    assert.deepEqual(wronglyNamed(sources), ["wallets is named by foundation (foundation/planted-store.ts)"]);
  });

  test("a sixth store that writes a table", () => {
    const sixth = ["one", "two", "three", "four", "five", "six"].map(
      (name) => [`capabilities/audit/${name}-store.ts`, "sql`update audit_entries set a = 1`"] as const,
    );
    assert.deepEqual(tooManyWriters(new Map(sixth)), ["audit_entries is written by 6 stores of capabilities/audit"]);
  });
});

interface Names {
  readonly tables: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
}

function namesIn(texts: readonly string[]): Names {
  const tables = new Set<string>();
  const functions = new Set<string>();
  for (const text of texts) {
    const code = text.replaceAll(/--.*$/gm, "");
    for (const [, name = ""] of code.matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/gi))
      tables.add(name);
    for (const [, name = ""] of code.matchAll(/drop table (?:if exists )?(\w+)/gi)) tables.delete(name);
    for (const [, old = "", name = ""] of code.matchAll(/alter table (\w+) rename to (\w+)/gi)) {
      tables.delete(old);
      tables.add(name);
    }
    for (const [, name = "", returns = ""] of code.matchAll(
      /create (?:or replace )?function (\w+)\([^)]*\)\s+returns (\w+)/gi,
    ))
      if (returns !== "trigger") functions.add(name);
  }
  return { tables, functions };
}

interface Naming {
  readonly name: string;
  readonly module: string;
  readonly path: string;
}

function namings(sources: Sources): Naming[] {
  return [...sources].flatMap(([path, text]) =>
    isTestFile(path)
      ? []
      : [...(path.endsWith("-store.ts") ? namesInStore : namesElsewhere)(text)].map((name) => ({
          name,
          module: moduleOf(path),
          path,
        })),
  );
}

// One sentence for each table or function named by two modules, or by one that may own none.
function wronglyNamed(sources: Sources): string[] {
  return [...Map.groupBy(namings(sources), ({ name }) => name)].flatMap(([name, uses]) => {
    const users = [...Map.groupBy(uses, ({ module }) => module)];
    const [first] = users;
    if (users.length === 1 && first?.[0].includes("/")) return [];
    const said = users.map(([module, own]) => `${module} (${own.map(({ path }) => path).join(", ")})`);
    return [`${name} is named by ${said.join(" and ")}`];
  });
}

function tooManyWriters(sources: Sources): string[] {
  const writers = new Map<string, number>();
  for (const [path, text] of sources) {
    if (isTestFile(path) || path.endsWith("-holdings-store.ts")) continue;
    const written = codeWithoutComments(text)
      .toLowerCase()
      .matchAll(/\b(?:insert into|update|delete from|truncate)\s+(?:table\s+)?(?:only\s+)?"?(\w+)/g);
    for (const name of new Set([...written].map(([, table = ""]) => table))) {
      const key = `${name} ${moduleOf(path)}`;
      if (names.tables.has(name)) writers.set(key, (writers.get(key) ?? 0) + 1);
    }
  }
  return [...writers]
    .filter(([, count]) => count > 5)
    .map(([key, count]) => key.replace(" ", ` is written by ${count} stores of `));
}

function namesUsed(isStore: boolean, code: string): Set<string> {
  const used = new Set<string>();
  // The name is where SQL expects a table.
  const sql = code.toLowerCase();
  for (const [, list = ""] of sql.matchAll(
    /\b(?:from|join|into|update|using|truncate|table|copy|analyze|vacuum)\s+(?:only\s+|if (?:not )?exists\s+)?("?\w+"?(?:\s+(?:as\s+)?(?!join\b|using\b)\w+)?(?:\s*,\s*"?\w+"?(?:\s+(?:as\s+)?(?!join\b|using\b)\w+)?)*)/g,
  ))
    for (const piece of list.split(",")) {
      const name = /\w+/.exec(piece)?.[0] ?? "";
      if (names.tables.has(name)) used.add(name);
    }
  // Or it is passed to code that builds SQL from it. A name of one word may be any text, unless it is in a store.
  for (const [, name = ""] of code.matchAll(/["'](\w+)["']/g))
    if (names.tables.has(name) && (name.includes("_") || isStore)) used.add(name);
  for (const [, name = ""] of code.matchAll(/\b(\w+)\(/g)) if (names.functions.has(name)) used.add(name);
  return used;
}
