// The house stands: floors, doors, circles, homes. Each rule is also shown to be able to fail.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { operations } from "@atelier/contract";
import { brokenRules, handlersAmiss, startedElsewhere } from "./support/house-rules.ts";

const root = fileURLToPath(new URL("../src/", import.meta.url));
const house = new Map(
  globSync("**/*.ts", { cwd: root }).map((path) => [
    path.replaceAll("\\", "/"),
    readFileSync(join(root, path), "utf8"),
  ]),
);

test("the house follows its own rules", () => {
  assert.ok(house.size > 50, "the sources were found");
  assert.deepEqual(brokenRules(house), []);
});

describe("threads and processes of our own code begin in one place", () => {
  const top = fileURLToPath(new URL("../../../", import.meta.url));
  const files = new Map(
    globSync("packages/*/{src,bin}/**/*.{ts,mjs}", { cwd: top }).map((path) => [
      path.replaceAll("\\", "/"),
      readFileSync(join(top, path), "utf8"),
    ]),
  );

  test("in every package", () => {
    assert.ok(files.has("packages/engine/src/own-code.ts"));
    assert.deepEqual(startedElsewhere(files), []);
  });

  for (const text of ["new Worker(entry, {});", "fork(file, []);", "spawn(process.execPath, [file]);"]) {
    test(`${text} elsewhere is found`, () => {
      const planted = new Map([...files, ["packages/sandbox/src/planted.ts", text]]);
      assert.deepEqual(startedElsewhere(planted), [
        "packages/sandbox/src/planted.ts starts a thread or process of our own code by itself",
      ]);
    });
  }
});

describe("one operation, one handler", () => {
  // Those of partners come from definitions, and one handler serves all of them.
  const ids = Object.values(operations)
    .filter(({ path }) => !path.startsWith("/proxy/"))
    .map(({ id }) => id);

  test("exported from a route file under the operation's id", () => {
    assert.deepEqual(handlersAmiss(house, ids), []);
  });

  test("a second one, a missing one and one outside a route file are found", () => {
    const twice = new Map([...house, ["areas/admin/planted.route.ts", "export function getJobRoute() {}"]]);
    assert.deepEqual(handlersAmiss(twice, ids), ["getJob has 2 handlers called getJobRoute"]);
    assert.deepEqual(handlersAmiss(house, ["planted"]), ["planted has 0 handlers called plantedRoute"]);
    const outside = new Map([...house, ["areas/admin/planted.ts", "const r = { operation: operations.getJob };"]]);
    assert.deepEqual(handlersAmiss(outside, ids), ["areas/admin/planted.ts handles getJob outside a route file"]);
  });
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
      "a type import through the own door",
      "areas/account/planted.ts",
      'import type { x } from "./index.ts";',
      /own module/,
    ],
    ["a file named utils.ts", "foundation/utils.ts", "export const x = 1;", /says nothing/],
    ["SQL outside a store", "areas/account/planted.ts", "const s = sql`select 1`;", /SQL outside/],
    ["the environment", "foundation/planted.ts", "export const x = process.env.HOME;", /environment/],
    ["the framework", "areas/account/planted.ts", 'import Fastify from "fastify";', /framework/],
    ["a default export", "areas/account/planted.ts", "export default 1;", /default export/],
    ["any", "areas/account/planted.ts", "export const x: any = 1;", /check off/],
    ["the wall clock", "areas/account/planted.ts", "export const x = Date.now();", /clock/],
    ["a surface's name in v2", "areas/workflows/planted.ts", 'export const x = "cloud";', /surface/],
    [
      "a periodic loop of its own",
      "capabilities/audit/planted.ts",
      "async function run(signal: AbortSignal) {\n  while (!signal.aborted) {\n    await clock.sleep(1000, signal);\n  }\n}",
      /loop of its own/,
    ],
    ["a long file", "areas/account/planted.ts", "\n".repeat(401), /400 lines/],
  ];
  for (const [name, path, text, expected] of plants) {
    test(name, () => {
      const broken = brokenRules(new Map([...house, [path, text]]));
      assert.ok(
        broken.some((sentence) => expected.test(sentence) && sentence.startsWith(path)),
        broken.join("\n"),
      );
    });
  }

  test("a circle, type imports included", () => {
    const planted = new Map([
      ...house,
      ["foundation/one.ts", 'import type { Two } from "./two.ts";'],
      ["foundation/two.ts", 'export { One } from "./one.ts";'],
    ]);
    assert.ok(brokenRules(planted).some((sentence) => /a circle: foundation\/(one|two)\.ts/.test(sentence)));
  });
});
