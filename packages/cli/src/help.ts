// Help leads with examples: most people came to copy one.
import type { ListedCommand } from "@atelier/server/commands";
import { hanging, wrapped } from "./wrap.ts";

const commonOptions = {
  json: "Print exactly one JSON object, on success and on failure.",
  "no-color": "Turn colour off; also NO_COLOR.",
  help: "Show this help.",
} as const;

export function overview(commands: readonly ListedCommand[], columns: number): string {
  const width = Math.max(0, ...commands.map((command) => command.name.length));
  const listed = (head: string, some: readonly ListedCommand[]) =>
    some.length === 0
      ? []
      : ["", head, ...some.flatMap(({ name, about }) => hanging(`  ${name.padEnd(width)}  `, about, columns))];
  return [
    "atelier: the generation platform that anyone can own",
    "",
    "  atelier serve                      start everything on this machine",
    "  atelier run workflow.json -o out/  run a workflow and save its outputs",
    "  atelier doctor                     check this installation for problems",
    ...listed("Use a server, local or remote:", commands.filter(talks)),
    ...listed("Run and maintain a server, on its own machine:", commands.filter(keeps)),
    ...listed(
      "Other commands:",
      commands.filter((command) => !talks(command) && !keeps(command)),
    ),
    "",
    ...wrapped("Run atelier help <command> for its examples and options.", columns),
    ...wrapped("Every command accepts --json. Data goes to standard output, messages to standard error.", columns),
    "",
  ].join("\n");
}

const talks = (command: ListedCommand): boolean => "base-url" in command.options;
const keeps = (command: ListedCommand): boolean => !talks(command) && !["bench", "completion"].includes(command.name);

export function commandHelp(command: ListedCommand, columns: number): string {
  const own = Object.entries(command.options).map(([name, option]) => [
    `${name}${shortFlag(option)}${option.type === "string" ? " <…>" : ""}`,
    option.about,
  ]);
  const options = [...own, ...Object.entries(commonOptions)];
  const width = Math.max(...options.map(([name = ""]) => name.length));
  return [
    "Examples:",
    ...command.examples.map((example) => `  ${example}`),
    "",
    ...wrapped(command.about, columns),
    "",
    "Usage:",
    ...command.usage.flatMap((usage) => hanging("  atelier ", usage, columns)),
    "",
    "Options:",
    ...options.flatMap(([name = "", about = ""]) => hanging(`  --${name.padEnd(width)}  `, about, columns)),
    "",
    ...(!keeps(command) ? [] : wrapped("Every setting is also a flag: run atelier config to list them.", columns)),
    ...wrapped("See docs/CLI.md for output formats, exit codes and environment variables.", columns),
    "",
  ].join("\n");
}

const shortFlag = ({ short }: ListedCommand["options"][string]): string => (short === undefined ? "" : `, -${short}`);
