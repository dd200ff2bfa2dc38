// Help leads with examples: most people came to copy one.
import type { ListedCommand } from "@atelier/server/commands";
import { hanging, wrapped } from "./wrap.ts";

const commonOptions = {
  json: "print exactly one JSON object on standard output, for success and for failure",
  "no-color": "no colour (also: NO_COLOR)",
  help: "this page",
} as const;

export function overview(commands: readonly ListedCommand[], columns: number): string {
  const width = Math.max(0, ...commands.map((command) => command.name.length));
  return [
    "atelier: the generation platform that anyone can own",
    "",
    "  atelier serve                      start everything on this machine",
    "  atelier run workflow.json -o out/  run a workflow and save what it makes",
    "  atelier doctor                     look for problems and say how to mend them",
    "",
    "Commands:",
    ...commands.flatMap((command) => hanging(`  ${command.name.padEnd(width)}  `, command.about, columns)),
    "",
    ...wrapped("atelier help <command> shows its examples and options.", columns),
    ...wrapped(
      "--json makes every command print one JSON object; standard output is data, standard error is talk.",
      columns,
    ),
    "",
  ].join("\n");
}

export function helpOf(command: ListedCommand, columns: number): string {
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
    ...wrapped(command.about, columns),
    "",
    "Usage:",
    ...command.usage.flatMap((usage) => hanging("  atelier ", usage, columns)),
    "",
    "Options:",
    ...options.flatMap(([name = "", about = ""]) => hanging(`  --${name.padEnd(width)}  `, about, columns)),
    "",
    ...("base-url" in command.options
      ? []
      : wrapped("Every setting is also a flag: atelier config lists them.", columns)),
    ...wrapped("docs/CLI.md tells the rest: output, exit codes, environment.", columns),
    "",
  ].join("\n");
}

const shortOf = (option: object): string => ("short" in option ? `, -${option.short}` : "");
