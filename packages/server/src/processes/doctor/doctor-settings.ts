// What `atelier doctor` finds in the settings: names that nothing reads, files that cannot be read, and URLs that are missing
// next to a public one.

import { readProviderFiles } from "../../capabilities/model-calls/index.ts";
import { readPartnerFiles } from "../../capabilities/partners/index.ts";
import type { Config } from "../../config.ts";
import { type Finding, problem, warning, well } from "../../foundation/looks/finding.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import type { CommandInput } from "../commands/command.ts";
import { reachWarnings } from "../development.ts";
import { settingWarnings } from "../setting-warnings.ts";

type Given = Pick<CommandInput, "env" | "file">;

export async function lookAtSettings(config: Config, given: Given): Promise<Finding[]> {
  const odd = [
    ...settingWarnings(given).map(({ message, mend }) => warning("settings", message, mend)),
    ...lookAtReach(config),
    ...(await lookAtDefinitions(config)),
  ];
  return odd.length > 0 ? odd : [well("settings", "all variables are known, all files are readable")];
}

export function lookAtReach(config: Parameters<typeof reachWarnings>[0]): Finding[] {
  return reachWarnings(config).map((sentence) => {
    const [what = sentence, mend = "docs/OPERATIONS.md, Beyond loopback"] = sentence.split(/: (?=put|set)/);
    return warning("address", what, mend);
  });
}

// Each of these aborts a server's start.
export async function lookAtDefinitions(config: Pick<Config, "providers" | "partners">): Promise<Finding[]> {
  const found: Finding[] = [];
  const look = async (name: string, setting: string, read: () => Promise<unknown>) => {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof UsageProblem)) throw error;
      const mend = `fix the file, or remove it from ${setting}; the server does not start with it`;
      found.push(...error.problems.map((words) => problem(name, words, mend)));
    }
  };
  await look("providers", "ATELIER_PROVIDERS", () => readProviderFiles(config.providers));
  await look("partners", "ATELIER_PARTNERS", () => readPartnerFiles(config.partners));
  return found;
}
