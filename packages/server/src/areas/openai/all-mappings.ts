// Operators' mappings come first, then the shipped one; a wrong file stops the start.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { shippedFolder } from "../../capabilities/model-calls/index.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { type Mapping, readMappings } from "./mapping.ts";

export async function allMappings(files: readonly string[]): Promise<readonly Mapping[]> {
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
