// Finds the command that was asked for, runs it and prints what came out: standard output is data, standard error is
// talk; --json prints exactly one object. The server's commands are there when the server package is installed.
import { exitCodes } from "./exit-codes.ts";

export interface Terminal {
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
  out(text: string): void;
  err(text: string): void;
  exit(code: number): void;
  readFile(name: string): string | null;
}

interface Command {
  readonly name: string;
  readonly about: string;
  readonly usage: string;
  readonly examples: readonly string[];
  readonly options: Readonly<Record<string, { readonly type: string; readonly about: string }>>;
  run(input: unknown): Promise<{ data: unknown; text: string; exitCode?: number }>;
}

export async function dispatch(terminal: Terminal): Promise<number> {
  const words = terminal.arguments.filter((word) => word !== "--json");
  const json = words.length !== terminal.arguments.length;
  const [name, ...rest] = words;
  const commands = await loadServerCommands();
  if (commands === null)
    return fail(
      terminal,
      json,
      "The server is not installed here. Install @atelier/server beside this package.",
      exitCodes.notThere,
    );
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    const topic = name === undefined ? undefined : commands.find((command) => command.name === rest[0]);
    terminal.out(topic ? helpOf(topic) : overview(commands));
    return exitCodes.done;
  }
  if (name === "--version" || name === "version") {
    terminal.out(`${await version()}\n`);
    return exitCodes.done;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (!command)
    return fail(
      terminal,
      json,
      `There is no command "${name}".${nearest(name, commands)} Try: atelier help`,
      exitCodes.usage,
    );
  if (rest.includes("--help") || rest.includes("-h")) {
    terminal.out(helpOf(command));
    return exitCodes.done;
  }
  return run(command, rest, terminal, json);
}

async function run(command: Command, words: readonly string[], terminal: Terminal, json: boolean): Promise<number> {
  try {
    const result = await command.run({
      arguments: words,
      env: terminal.env,
      file: readConfigFile(terminal),
      isTerminal: terminal.isTerminal,
      json,
      say: (line: string) => terminal.err(`${line}\n`),
      print: (line: string) => terminal.out(`${line}\n`),
      exit: terminal.exit,
    });
    const exitCode = result.exitCode ?? exitCodes.done;
    if (json)
      terminal.out(
        `${JSON.stringify({ ok: exitCode === 0, command: command.name, data: result.data, warnings: [] })}\n`,
      );
    else if (result.text) terminal.out(result.text.endsWith("\n") ? result.text : `${result.text}\n`);
    return exitCode;
  } catch (error) {
    const problems =
      error instanceof Error && "problems" in error && Array.isArray(error.problems) ? error.problems : null;
    if (problems) return fail(terminal, json, problems.join("\n  "), exitCodes.usage);
    return fail(terminal, json, error instanceof Error ? error.message : String(error), exitCodes.unexpected);
  }
}

function readConfigFile(terminal: Terminal): Record<string, unknown> {
  const text = terminal.readFile("atelier.config.json");
  if (text === null) return {};
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("atelier.config.json must hold one JSON object.");
  return { ...value };
}

function fail(terminal: Terminal, json: boolean, message: string, exitCode: number): number {
  if (json) terminal.out(`${JSON.stringify({ ok: false, error: { code: codeOf(exitCode), message } })}\n`);
  else terminal.err(`✕ ${message}\n`);
  return exitCode;
}

function codeOf(exitCode: number): string {
  return Object.entries(exitCodes).find(([, code]) => code === exitCode)?.[0] ?? "unexpected";
}

async function loadServerCommands(): Promise<readonly Command[] | null> {
  try {
    const server: { serverCommands: readonly Command[] } = await import("@atelier/server");
    return server.serverCommands;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") {
      if (error.message.includes("@atelier/server")) return null;
    }
    throw error;
  }
}

async function version(): Promise<string> {
  const { default: text } = await import("../package.json", { with: { type: "json" } });
  return text.version;
}

function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  return [
    "atelier: the generation platform that anyone can own",
    "",
    "  atelier serve                      start everything on this machine",
    "  atelier keys create laptop         make an API key",
    "  atelier doctor                     look for problems and say how to mend them",
    "",
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.about}`),
    "",
    "atelier help <command> shows its options. --json makes every command print one JSON object.",
    "",
  ].join("\n");
}

function helpOf(command: Command): string {
  const width = Math.max(0, ...Object.keys(command.options).map((name) => name.length));
  return [
    ...command.examples.map((example) => `  ${example}`),
    "",
    command.about,
    "",
    `Usage: atelier ${command.usage}`,
    ...Object.entries(command.options).map(([name, option]) => `  --${name.padEnd(width)}  ${option.about}`),
    "",
    "Every setting is also a flag: atelier config lists them.",
    "",
  ].join("\n");
}

function nearest(word: string, commands: readonly Command[]): string {
  const shares = (name: string) => name.startsWith(word.slice(0, 3)) || word.startsWith(name.slice(0, 3));
  const found = commands.find((command) => shares(command.name));
  return found ? ` Did you mean "${found.name}"?` : "";
}
