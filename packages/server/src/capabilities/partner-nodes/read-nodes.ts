// The node classes that this server declares: those that ship beside the shipped definitions, and the operator's own files. A
// wrong file ends the start, with every problem and its line.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { NodeDeclaration } from "@atelier/engine";
import { readExactJson } from "../../foundation/json/exact-json.ts";
import { readJsonFile } from "../../foundation/json/json-file.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { checkNodesFile } from "./check-nodes-file.ts";

// Next to `src` in a checkout, next to `dist` in a package.
export const shippedNodesFolder = join(import.meta.dirname, "../../../providers/nodes");

const fixturesEnd = ".fixtures.json";

export async function shippedNodeFiles(): Promise<string[]> {
  if (!existsSync(shippedNodesFolder)) return [];
  const files = await readdir(shippedNodesFolder);
  return files
    .filter((file) => file.endsWith(".json") && !file.endsWith(fixturesEnd))
    .sort()
    .map((file) => join(shippedNodesFolder, file));
}

// An operator's class replaces a shipped one of the same name.
export async function readNodes(own: readonly string[]): Promise<NodeDeclaration[]> {
  const shipped: NodeDeclaration[] = [];
  for (const path of await shippedNodeFiles()) shipped.push(...(await readShipped(path)));
  const problems: string[] = [];
  const declared = new Map<string, { readonly path: string; readonly declaration: NodeDeclaration }>();
  for (const path of own) {
    const file = await readJsonFile(path);
    const checked = checkNodesFile(await readExact(path));
    if (!checked.ok)
      problems.push(
        ...checked.problems.map(
          ({ path: field, message }) => `${path} is wrong, line ${file.lineOf(field)}: ${field} ${message}`,
        ),
      );
    for (const declaration of checked.ok ? checked.classes : []) {
      const before = declared.get(declaration.name);
      if (before) problems.push(`${path} is wrong: ${declaration.name} is already declared in ${before.path}`);
      else declared.set(declaration.name, { path, declaration });
    }
  }
  if (problems.length > 0) throw new UsageProblem(problems);
  const kept = shipped.filter(({ name }) => !declared.has(name));
  return [...kept, ...[...declared.values()].map(({ declaration }) => declaration)];
}

// The tests check all of them, so a start does not: checking hundreds of classes takes longer than reading them.
async function readShipped(path: string): Promise<readonly NodeDeclaration[]> {
  const value = await readExact(path);
  if (isShipped(value)) return value.classes;
  throw new Error(`The shipped node classes in ${path} are invalid.`);
}

function isShipped(value: unknown): value is { readonly classes: readonly NodeDeclaration[] } {
  return isRecord(value) && Array.isArray(value["classes"]);
}

// The maximum of a seed has more digits than a double.
async function readExact(path: string): Promise<unknown> {
  return readExactJson(await readFile(path, "utf8"));
}
