// Every command, in the order of the help overview.
import type { ListedCommand } from "@atelier/server/commands";
import { clientCommands } from "./client-commands.ts";
import { completionCommand } from "./completion-command.ts";
import { mergeModels } from "./merge-models.ts";

// Whether the command is ours alone. Then the server's command list need not be loaded.
export const isClientsAlone = (name: string | undefined): boolean =>
  name !== "models" && clientCommands.some((command) => command.name === name);

export function allCommands(serverCommands: readonly ListedCommand[] | null): readonly ListedCommand[] {
  const operators = serverCommands?.find(({ name }) => name === "models");
  const merged = clientCommands.map((command) =>
    command.name === "models" && operators !== undefined ? mergeModels(command, operators) : command,
  );
  const own = (serverCommands ?? []).filter(({ name }) => !clientCommands.some((command) => command.name === name));
  const commands: ListedCommand[] = [...own, ...merged];
  commands.push(completionCommand(() => commands));
  return commands;
}
