// The node classes that this server declares: those that ship beside the shipped definitions, and the operator's own files. A
// wrong file ends the start, with every problem and its line.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { LazyDeclaration, NodeDeclaration } from "@atelier/engine";
import { readExactJson } from "../../foundation/json/exact-json.ts";
import { readJsonFile } from "../../foundation/json/json-file.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { checkNodesFile } from "./check-nodes-file.ts";
import { readShippedNodes } from "./read-shipped-nodes.ts";

// Next to `src` in a checkout, next to `dist` in a package.
export const shippedNodesFolder = join(import.meta.dirname, "../../../providers/nodes");

const fixturesEnd = ".fixtures.json";

export async function shippedNodeFiles(folder = shippedNodesFolder): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const files = await readdir(folder);
  return files
    .filter((file) => file.endsWith(".json") && !file.endsWith(fixturesEnd))
    .sort()
    .map((file) => join(folder, file));
}

// An operator's class replaces a shipped one of the same name.
export async function readNodes(own: readonly string[], folder = shippedNodesFolder): Promise<LazyDeclaration[]> {
  const shipped = (await Promise.all((await shippedNodeFiles(folder)).map(readShippedNodes))).flat();
  const problems: string[] = [];
  const declared = new Map<string, { readonly path: string; readonly declaration: LazyDeclaration }>();
  for (const path of own) {
    const file = await readJsonFile(path, readExactJson);
    const checked = checkNodesFile(file.value);
    if (!checked.ok)
      problems.push(
        ...checked.problems.map(
          ({ path: field, message }) => `${path} is wrong, line ${file.lineOf(field)}: ${field} ${message}`,
        ),
      );
    for (const declaration of checked.ok ? checked.classes : []) {
      const { name } = declaration;
      const before = declared.get(name);
      if (before) problems.push(`${path} is wrong: ${name} is already declared in ${before.path}`);
      else if (checked.ok) declared.set(name, { path, declaration: parsedAlready(declaration, checked.provider) });
    }
  }
  if (problems.length > 0) throw new UsageProblem(problems);
  const kept = shipped.filter(({ name }) => !declared.has(name));
  return [...kept, ...[...declared.values()].map(({ declaration }) => declaration)];
}

// Made here, where nothing else is in scope: the function would keep the whole file in memory.
function parsedAlready(declaration: NodeDeclaration, provider: string): LazyDeclaration {
  return { name: declaration.name, provider, read: () => declaration };
}
