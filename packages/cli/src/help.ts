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
  const listed = (head: string, some: readonly ListedCommand[]) =>
    some.length === 0
      ? []
      : ["", head, ...some.flatMap(({ name, about }) => hanging(`  ${name.padEnd(width)}  `, about, columns))];
  return [
    "atelier: the generation platform that anyone can own",
    "",
    "  atelier serve                      start everything on this machine",
    "  atelier run workflow.json -o out/  run a workflow and save what it makes",
    "  atelier doctor                     look for problems and say how to mend them",
    ...listed("Talk to a server, here or anywhere:", commands.filter(talks)),
    ...listed("Run and keep a server, on its own machine:", commands.filter(keeps)),
    ...listed(
      "Besides:",
      commands.filter((command) => !talks(command) && !keeps(command)),
    ),
    "",
    ...wrapped("atelier help <command> shows its examples and options.", columns),
    ...wrapped(
      "--json makes every command print one JSON object; standard output is data, standard error is talk.",
      columns,
    ),
    "",
  ].join("\n");
}

const talks = (command: ListedCommand): boolean => "base-url" in command.options;
const keeps = (command: ListedCommand): boolean => !talks(command) && !["bench", "completion"].includes(command.name);

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
    ...(!keeps(command) ? [] : wrapped("Every setting is also a flag: atelier config lists them.", columns)),
    ...wrapped("docs/CLI.md tells the rest: output, exit codes, environment.", columns),
    "",
  ].join("\n");
}

const shortOf = ({ short }: ListedCommand["options"][string]): string => (short === undefined ? "" : `, -${short}`);
