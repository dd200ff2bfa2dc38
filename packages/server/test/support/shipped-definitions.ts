// The shipped definitions with their fixtures, as their files have them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  fixturesBeside,
  shippedFolder,
  shippedNames,
} from "../../src/capabilities/model-calls/catalog/shipped-providers.ts";

export interface Shipped {
  readonly name: string;
  readonly path: string;
  readonly definition: Record<string, unknown>;
  readonly fixtures: Record<string, unknown>;
}

export const readJsonFile = (path: string): Record<string, unknown> => JSON.parse(readFileSync(path, "utf8"));

export async function shippedFiles(): Promise<Shipped[]> {
  return (await shippedNames()).map((name) => {
    const path = join(shippedFolder, `${name}.json`);
    return { name, path, definition: readJsonFile(path), fixtures: readJsonFile(fixturesBeside(path)) };
  });
}
