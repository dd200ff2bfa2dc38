// Every `atelier` command with its usages, for docs/CLI.md.
import { serverCommands } from "@atelier/server/commands";
import { allCommands } from "../packages/cli/src/all-commands.ts";

export function commandsTable(): string {
  const cell = (usage: string) => `\`atelier ${usage.replaceAll("|", "\\|")}\``;
  const rows = allCommands(serverCommands).map(
    ({ name, about, usage }) => `| \`${name}\` | ${about} | ${usage.map(cell).join("<br>")} |`,
  );
  return ["| Command | Does | Usage |", "|---|---|---|", ...rows].join("\n");
}
