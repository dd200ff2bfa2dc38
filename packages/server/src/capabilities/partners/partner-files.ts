// Partner definitions that an operator wrote.
import { readFile } from "node:fs/promises";
import { jsonOrUndefined } from "../../foundation/json/foreign-json.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { priceChecks } from "../prices/index.ts";
import { checkPartner } from "./check-definition.ts";
import type { PartnerDefinition } from "./definition.ts";

// Reports all invalid files together, each problem with its file and field.
export async function readPartnerFiles(paths: readonly string[]): Promise<PartnerDefinition[]> {
  const problems: string[] = [];
  const definitions: PartnerDefinition[] = [];
  for (const path of paths) {
    const text = await readFile(path, "utf8").catch(() => null);
    const checked = text === null ? null : checkPartner(priceChecks, jsonOrUndefined(text));
    if (checked === null) problems.push(`Cannot read the partner definition ${path}.`);
    else if (!checked.ok)
      for (const { path: field, message } of checked.problems)
        problems.push(`The partner definition ${path} is wrong: ${field || "the whole"} ${message}`);
    else if (definitions.some(({ partner }) => partner === checked.definition.partner))
      problems.push(
        `The partner definition ${path} is wrong: another file already defines /partner ${checked.definition.partner}`,
      );
    else definitions.push(checked.definition);
  }
  if (problems.length > 0) throw new UsageProblem(problems);
  return definitions;
}
