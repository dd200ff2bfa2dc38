// The addresses of the console's pages, as its own sources have them: a page that is added there and to no walk fails the walk.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const pages = join(import.meta.dirname, "../../../console/src/pages");

export function routesOfConsole(): string[] {
  const texts = globSync("*/routes.ts", { cwd: pages }).map((name) => readFileSync(join(pages, name), "utf8"));
  const paths = texts.flatMap((text) =>
    [...text.matchAll(/(?:\bpath:|\bpageRoute\()\s*"([^"]+)"/g)].map(([, path = ""]) => path),
  );
  const count = texts.reduce((sum, text) => sum + [...text.matchAll(/(?:create|page)Route\(/g)].length, 0);
  assert.equal(paths.length, count, "each route has its path beside it");
  return paths.toSorted();
}
