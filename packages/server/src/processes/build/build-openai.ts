// The entrance for OpenAI-shaped clients, if the dialect asks for it. Operators' mappings come first; a wrong file stops the start.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Mapping, openaiEntrance, readMappings } from "../../areas/openai/index.ts";
import { shippedFolder } from "../../capabilities/model-calls/index.ts";
import { type Area, area } from "../../foundation/http/area.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { speaksOpenai } from "../../surfaces/dialect/index.ts";
import type { ServiceDeps, Services } from "./build-services.ts";

export async function openaiAreas(deps: ServiceDeps, { models }: Services): Promise<readonly Area[]> {
  const { config, capabilities, clock } = deps;
  if (!speaksOpenai(config.dialect)) return [];
  const { identity, limits } = capabilities;
  return [
    area(
      openaiEntrance({
        authenticate: (arrival) => identity.authenticate(arrival),
        admitRate: (caller) => limits.admit(caller.workspaceId, "router_and_partner"),
        models: models.models,
        mappings: await allMappings(config.openaiMappings),
        clock,
        creditsPerUsd: config.creditsPerUsd,
        formBytesMax: config.routerBodyBytesMax,
      }),
    ),
  ];
}

async function allMappings(files: readonly string[]): Promise<readonly Mapping[]> {
  const paths = [...files, join(shippedFolder, "entrances/openai.json")];
  const read = await Promise.all(paths.map(mappingsIn));
  const problems = read.flatMap((each) => each.problems);
  if (problems.length > 0) throw new UsageProblem(problems);
  return read.flatMap((each) => each.mappings);
}

async function mappingsIn(path: string): Promise<{ mappings: readonly Mapping[]; problems: readonly string[] }> {
  try {
    const read = readMappings(JSON.parse(await readFile(path, "utf8")));
    if (read.ok) return { mappings: read.mappings, problems: [] };
    return { mappings: [], problems: read.problems.map((problem) => `The mapping ${path} is wrong: ${problem}.`) };
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return { mappings: [], problems: [`The mapping ${path} cannot be read: ${reason}`] };
  }
}
