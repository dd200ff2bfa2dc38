// The table of node classes that are declared beside the shipped providers, for the documents.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { shippedDefinition } from "../packages/server/src/capabilities/model-calls/catalog/shipped-providers.ts";
import { checkNodesFile, shippedNodeFiles } from "../packages/server/src/capabilities/partner-nodes/index.ts";

export async function declaredClassesTable(): Promise<string> {
  const rows: string[] = [];
  for (const path of await shippedNodeFiles()) {
    const checked = checkNodesFile(JSON.parse(await readFile(path, "utf8")));
    const definition = await shippedDefinition(basename(path, ".json"));
    if (!checked.ok || definition === null) throw new Error(`${path} is not valid.`);
    const names = checked.classes.map(({ name }) => `\`${name}\``).join(", ");
    rows.push(`| ${definition.title ?? definition.provider} | ${names} |`);
  }
  return ["| Provider | Classes |", "|---|---|", ...rows].join("\n");
}
