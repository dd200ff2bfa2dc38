// The floors of the console: main → app → pages → ui → api → strings. Imports point down, type imports included, and no page
// imports another: code that two pages need goes to ui or api. A file directly in pages is not a page, and all pages may
// use it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { importsOf, packageSources, planted, type Sources } from "./sources.ts";

const house = "packages/console/src/";
const floors: readonly string[] = ["strings", "api", "ui", "pages", "app", "main"];

const sources: Sources = new Map([...packageSources].filter(([path]) => path.startsWith(house)));

test("imports of the console point down, and pages do not see each other", () => {
  assert.ok(sources.has(`${house}pages/sign-in/way-in.tsx`), "the pages were found");
  assert.deepEqual(wrongImports(sources), []);
});

describe("a planted fault is found", () => {
  const plants: readonly [name: string, path: string, text: string, expected: RegExp][] = [
    [
      "a call that knows a part",
      "api/planted.ts",
      'import { isOpen } from "../ui/menu.tsx";',
      /imports up: .*ui\/menu/,
    ],
    ["a part that knows a page", "ui/planted.tsx", 'const P = lazy(() => import("../pages/a/a.tsx"));', /imports up/],
    ["a page that knows the frame", "pages/a/a.tsx", 'import type { R } from "../../app/router.ts";', /imports up/],
    ["a frame that knows its start", "app/planted.ts", 'import "../main.tsx";', /imports up/],
    ["a page that imports another", "pages/a/a.tsx", 'import { B } from "../b/b.tsx";', /imports another page/],
    ["a floor that is not one", "helpers/planted.ts", 'import { b } from "./b.ts";', /is on no floor/],
  ];
  for (const [name, path, text, expected] of plants)
    test(name, () => {
      const [found = "nothing found", ...others] = wrongImports(planted(sources, [house + path, text]));
      assert.ok(found.startsWith(path), found);
      assert.match(found, expected);
      assert.deepEqual(others, []);
    });

  test("a page may import what lies directly in pages", () => {
    const text = 'import { rootRoute } from "../root-route.ts";';
    assert.deepEqual(wrongImports(planted(sources, [`${house}pages/a/routes.ts`, text])), []);
  });
});

function wrongImports(all: Sources): string[] {
  return [...all].flatMap(([path, text]) => {
    const from = path.slice(house.length);
    if (!floors.includes(floorOf(from))) return [`${from} is on no floor`];
    return importsOf(path, text).flatMap((target) => {
      const to = target.slice(house.length);
      if (floors.indexOf(floorOf(to)) > floors.indexOf(floorOf(from))) return [`${from} imports up: ${to}`];
      const [page, other] = [pageOf(from), pageOf(to)];
      return page !== null && other !== null && page !== other ? [`${from} imports another page: ${to}`] : [];
    });
  });
}

function floorOf(path: string): string {
  return path.includes("/") ? (path.split("/")[0] ?? "") : "main";
}

function pageOf(path: string): string | null {
  const [floor, page, file] = path.split("/");
  return floor === "pages" && file !== undefined ? (page ?? null) : null;
}
