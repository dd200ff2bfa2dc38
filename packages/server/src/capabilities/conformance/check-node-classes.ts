// `atelier models check` for a file of node classes: its form, and whether it fits the definition of its provider.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type JsonFile, readJsonFile } from "../../foundation/json/json-file.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import type { CommandReport } from "../../foundation/looks/command-report.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { fixturesBeside, shippedFolder } from "../model-calls/index.ts";
import { checkNodesFile } from "../partner-nodes/index.ts";
import { priceChecks } from "../prices/index.ts";
import { checkDefinition } from "../providers/index.ts";
import { checkNodes, type NodesFinding } from "./check-nodes.ts";
import { readFixtures } from "./fixtures.ts";

export const isNodesFile = (value: unknown): boolean => isRecord(value) && "classes" in value && !("models" in value);

export async function checkNodeClasses(file: JsonFile): Promise<CommandReport> {
  const checked = checkNodesFile(file.value);
  const findings: NodesFinding[] = checked.ok
    ? await againstDefinition(file.path, checked)
    : checked.problems.map(({ path, message }) => ({
        path,
        class: classAt(file.value, path),
        problem: `${path} ${message}`,
      }));
  const classes = checked.ok ? checked.classes.length : 0;
  const count = findings.length === 0 ? "no findings" : `${findings.length} finding${findings.length === 1 ? "" : "s"}`;
  return {
    data: { classes, findings: findings.map((finding) => ({ ...finding, line: file.lineOf(finding.path) })) },
    text: [
      `${file.path}: ${classes} class${classes === 1 ? "" : "es"}, ${count}.`,
      ...findings.map((finding) => `line ${file.lineOf(finding.path)} · ${finding.class} · ${finding.problem}`),
    ].join("\n"),
    ...(findings.length === 0 ? {} : { exitCode: 12, problem: `The classes have ${findings.length} problems.` }),
  };
}

// The definition is in the folder above, beside the file, or ships with the server.
async function againstDefinition(
  path: string,
  { provider, classes }: Extract<ReturnType<typeof checkNodesFile>, { ok: true }>,
): Promise<NodesFinding[]> {
  const locations = [join(dirname(path), ".."), dirname(path), shippedFolder].map((folder) =>
    join(folder, `${provider}.json`),
  );
  const found = locations.find((position) => position !== path && existsSync(position));
  if (found === undefined)
    throw new UsageProblem([`There is no definition of ${provider}: put ${provider}.json beside ${path}.`]);
  const definition = checkDefinition(priceChecks, (await readJsonFile(found)).value);
  if (!definition.ok) throw new UsageProblem(definition.problems.map((problem) => `${found} is wrong: ${problem}`));
  const beside = fixturesBeside(found);
  const fixtures = existsSync(beside) ? readFixtures((await readJsonFile(beside)).value) : null;
  return checkNodes({ classes, definition: definition.definition, fixtures: fixtures?.ok ? fixtures.fixtures : null });
}

function classAt(value: unknown, path: string): string {
  const [, , index = ""] = path.split("/");
  const classes = isRecord(value) ? value["classes"] : undefined;
  const declared: unknown = Array.isArray(classes) ? classes[Number(index)] : undefined;
  return isRecord(declared) ? String(declared["name"]) : "the file";
}
