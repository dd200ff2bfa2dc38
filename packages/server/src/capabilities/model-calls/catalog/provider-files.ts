// Provider definitions that an operator wrote.
import { readJsonFile } from "../../../foundation/json/json-file.ts";
import { UsageProblem } from "../../../foundation/settings.ts";
import { priceChecks } from "../../prices/index.ts";
import { checkDefinition, type ProviderDefinition, problemText } from "../../providers/index.ts";

// Reports all invalid files together, each problem with its file, line and field.
export async function readProviderFiles(paths: readonly string[]): Promise<ProviderDefinition[]> {
  const problems: string[] = [];
  const definitions: ProviderDefinition[] = [];
  for (const path of paths) {
    const file = await readJsonFile(path).catch((error: unknown) => {
      if (!(error instanceof UsageProblem)) throw error;
      problems.push(...error.problems.map((problem) => `The provider definition ${problem}`));
      return null;
    });
    const checked = file && checkDefinition(priceChecks, file.value);
    if (!checked) continue;
    const wrong = (words: string) => problems.push(`The provider definition ${path} is wrong${words}`);
    if (!checked.ok)
      for (const field of checked.fields) wrong(`, line ${file.lineOf(field.path)}: ${problemText(field)}`);
    else if (definitions.some(({ provider }) => provider === checked.definition.provider))
      wrong(`: another file already defines /provider ${checked.definition.provider}`);
    else definitions.push(checked.definition);
  }
  if (problems.length > 0) throw new UsageProblem(problems);
  return definitions;
}
