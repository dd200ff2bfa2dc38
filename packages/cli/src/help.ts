// Help leads with examples: most people came to copy one.
import type { ListedCommand } from "@atelier/server/commands";

const commonOptions = {
  json: "print exactly one JSON object on standard output, for success and for failure",
  "no-color": "no colour (also: NO_COLOR)",
  help: "this page",
} as const;

export function overview(commands: readonly ListedCommand[]): string {
  const width = Math.max(0, ...commands.map((command) => command.name.length));
  return [
    "atelier: the generation platform that anyone can own",
    "",
    "  atelier serve                      start everything on this machine",
    "  atelier run workflow.json -o out/  run a workflow and save what it makes",
    "  atelier doctor                     look for problems and say how to mend them",
    "",
    "Commands:",
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.about}`),
    "",
    "atelier help <command> shows its examples and options.",
    "--json makes every command print one JSON object; standard output is data, standard error is talk.",
    "",
  ].join("\n");
}

export function helpOf(command: ListedCommand): string {
  const own = Object.entries(command.options).map(([name, option]) => [
    `${name}${shortOf(option)}${option.type === "string" ? " <…>" : ""}`,
    option.about,
  ]);
  const options = [...own, ...Object.entries(commonOptions)];
  const width = Math.max(...options.map(([name = ""]) => name.length));
  return [
    "Examples:",
    ...command.examples.map((example) => `  ${example}`),
    "",
    command.about,
    "",
    "Usage:",
    ...command.usage.map((usage) => `  atelier ${usage}`),
    "",
    "Options:",
    ...options.map(([name = "", about]) => `  --${name.padEnd(width)}  ${about}`),
    "",
    ...("base-url" in command.options ? [] : ["Every setting is also a flag: atelier config lists them."]),
    "docs/CLI.md tells the rest: output, exit codes, environment.",
    "",
  ].join("\n");
}

const shortOf = (option: object): string => ("short" in option ? `, -${option.short}` : "");
