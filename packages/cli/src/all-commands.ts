// Every command, in the order of the help overview.
import type { ListedCommand } from "@atelier/server/commands";
import { clientCommands } from "./client-commands.ts";
import { completionCommand } from "./completion-command.ts";
import { mergeModels } from "./merge-models.ts";
import { mergeVerbs } from "./merge-verbs.ts";

// Names with a half in the server: it works on the machine itself.
const isShared = (name: string | undefined): boolean => name === "models" || name === "templates" || name === "env";

// Whether the command is ours alone. Then the server's command list need not be loaded.
export const isClientsAlone = (name: string | undefined): boolean =>
  !isShared(name) && clientCommands.some((command) => command.name === name);

export function allCommands(serverCommands: readonly ListedCommand[] | null): readonly ListedCommand[] {
  const merged = clientCommands.map((command) => {
    const operators = serverCommands?.find(({ name }) => name === command.name);
    if (operators === undefined) return command;
    return command.name === "models" ? mergeModels(command, operators) : mergeVerbs(command, operators);
  });
  const own = (serverCommands ?? []).filter(({ name }) => !clientCommands.some((command) => command.name === name));
  const commands: ListedCommand[] = [...own, ...merged];
  commands.push(completionCommand(() => commands));
  return commands;
}
