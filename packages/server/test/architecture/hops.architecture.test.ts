// The hops of a request go one way: route (translate) → use case (decide) → capability → store (SQL).
//   A route imports neither a store nor the database, and the word does not occur in it: passed on as a member of its
//   arguments, it is still the database.
//   An index.ts exports nothing of a store, not even a type: the types of an idea live in a file of their own. SQL that
//   other capabilities run in their own transaction is in shared-sql.ts, which no area sees.
//   A store is imported only inside its own module; others ask the module, through its index.ts.
//   A store imports no route, and a capability knows neither routes nor areas.
// The law of floors checks that areas do not see each other and that modules are entered through index.ts.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { importsOf, isTestFile, moduleOf, planted, type Sources, serverSources } from "./sources.ts";

test("route, use case, capability, store: a request goes one way", () => {
  assert.deepEqual(wrongHops(serverSources), []);
});

describe("a planted fault is found", () => {
  const plants: readonly [string, string, string, RegExp][] = [
    [
      "a route that imports a store",
      "areas/price-badges/planted.route.ts",
      'import { listRows } from "./badge-row-store.ts";',
      /is a route and imports a store/,
    ],
    [
      "a route that is given the database, as a type only",
      "areas/admin/planted.route.ts",
      'import type { Database } from "../../foundation/database/index.ts";',
      /is a route and knows the database/,
    ],
    [
      "a route that hands on the database it was given",
      "areas/admin/planted.route.ts",
      "export const planted = (deps: Deps) => listNodes(deps.database);",
      /is a route and knows the database/,
    ],
    [
      "an index that hands out a store's function",
      "capabilities/audit/planted/index.ts",
      'export {\n  type Row,\n  listRows,\n} from "./row-store.ts";',
      /hands out a store: type Row, listRows of/,
    ],
    [
      "an index that hands out a store's type",
      "capabilities/audit/planted/index.ts",
      'export type { Row } from "./row-store.ts";',
      /hands out a store: Row of/,
    ],
    [
      "an index that hands out a store's type among its others",
      "capabilities/audit/planted/index.ts",
      'export { type Row } from "./row-store.ts";',
      /hands out a store: type Row of/,
    ],
    [
      "an index that hands out all of a store",
      "capabilities/audit/planted/index.ts",
      'export * from "./row-store.ts";',
      /hands out a store: all of/,
    ],
    [
      "a store of another module",
      "capabilities/calls/planted.ts",
      'import { findBlob } from "../blobs/blob-store.ts";',
      /imports a store of capabilities\/blobs/,
    ],
    [
      "a process that imports a store",
      "processes/planted.ts",
      'import { findBlob } from "../capabilities/blobs/blob-store.ts";',
      /imports a store of capabilities\/blobs/,
    ],
    [
      "a store that imports a route",
      "areas/price-badges/planted-store.ts",
      'import type { Deps } from "./get-badges.route.ts";',
      /is a store and imports a route/,
    ],
    [
      "a capability that answers requests",
      "capabilities/audit/planted.ts",
      'import { type Arrival, type Route } from "../../foundation/http/area.ts";',
      /is a capability and knows routes/,
    ],
  ];
  for (const [name, path, text, expected] of plants) {
    test(name, () => {
      const found = wrongHops(planted(serverSources, [path, text])).filter((sentence) => sentence.startsWith(path));
      assert.equal(found.length, 1, found.join("\n"));
      assert.match(found[0] ?? "", expected);
    });
  }
});

function wrongHops(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => (isTestFile(path) ? [] : wrongHopsOf(path, text)));
}

function wrongHopsOf(path: string, text: string): string[] {
  const problems = importsOf(path, text).flatMap((target) => {
    const isStore = target.endsWith("-store.ts");
    if (path.endsWith(".route.ts") && isStore) return [`${path} is a route and imports a store: ${target}`];
    if (isStore && moduleOf(path) !== moduleOf(target)) return [`${path} imports a store of ${moduleOf(target)}`];
    if (path.endsWith("-store.ts") && target.endsWith(".route.ts"))
      return [`${path} is a store and imports a route: ${target}`];
    return [];
  });
  if (path.endsWith(".route.ts") && /\bdatabase\b/i.test(text))
    problems.push(`${path} is a route and knows the database`);
  if (path.endsWith("/index.ts") && !path.startsWith("foundation/"))
    problems.push(...storesHandedOut(text).map((what) => `${path} hands out a store: ${what}`));
  const fromArea = /import (?:type )?\{([^}]*)\} from "[./]+foundation\/http\/area\.ts"/.exec(text)?.[1] ?? "";
  if (path.startsWith("capabilities/") && /\b(Route|Area|area|Incoming|jsonAnswer)\b/.test(fromArea))
    problems.push(`${path} is a capability and knows routes`);
  return problems;
}

function storesHandedOut(text: string): string[] {
  const exported = text.matchAll(/export (?:type )?(?:\{([^}]*)\}|(\*)[^"]*) from "([^"]+-store\.ts)"/g);
  return [...exported].map(([, names = "", all, store]) => {
    const listed = names.split(",").flatMap((name) => name.trim() || []);
    return `${all === undefined ? listed.join(", ") : "all"} of ${store}`;
  });
}
