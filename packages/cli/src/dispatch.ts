// Finds the requested command, runs it and prints the result. Standard output is for data, standard error for messages; --json
// prints exactly one object. The server's commands are available if the server package is installed: we list them without
// loading the server, and load only the one that runs.
import type { CommandResult, ListedCommand } from "@atelier/server/commands";
import { allCommands, isClientsAlone } from "./all-commands.ts";
import { exitCodes } from "./exit-codes.ts";
import { exitCodeOf, type Failure, toFailure, usageFailure } from "./failure.ts";
import { commandHelp, overview } from "./help.ts";
import { isRecord } from "./json-record.ts";
import { jsonText } from "./json-text.ts";
import { coloured, colouredMarks, detectLook, type Look, shown } from "./look.ts";
import { nearWord } from "./near-word.ts";
import { readArguments } from "./read-call.ts";
import { loadServerCommands } from "./server-commands.ts";
import { aligned, tabSeparated } from "./table.ts";
import { cut, hanging } from "./wrap.ts";

interface Terminal {
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly version: string;
  // Whether standard output and standard error are terminals.
  readonly isTerminal: boolean;
  readonly isTalkTerminal: boolean;
  // The terminal's width; undefined without a terminal.
  columns(): number | undefined;
  talkColumns(): number | undefined;
  now(): Date;
  out(text: string): void;
  err(text: string): void;
  exit(code: number): void;
  readFile(name: string): string | null;
}

export async function dispatch(terminal: Terminal): Promise<number> {
  const call = readCall(terminal.arguments);
  const printer = new Printer(terminal, call);
  const [name, ...rest] = call.words;
  if (call.isVersion || name === "version")
    return printer.data("version", { version: terminal.version }, terminal.version);
  try {
    const isHelp = name === undefined || name === "help" || call.isHelp;
    const topic = name === "help" ? rest[0] : name;
    const list = isClientsAlone(topic) ? null : await loadServerCommands();
    const commands = allCommands(list?.serverCommands ?? null);
    if (isHelp && topic === undefined)
      return printer.data("help", helpData(commands), overview(commands, printer.columns));
    const command = commands.find((candidate) => candidate.name === topic);
    if (!command) return printer.fail(unknownCommand(topic ?? "", commands, list !== null));
    if (isHelp) return printer.data("help", helpData([command]), commandHelp(command, printer.columns));
    return await run(command, rest, terminal, printer);
  } catch (thrown) {
    return printer.fail(toFailure(thrown, name ?? ""));
  }
}

interface Call {
  readonly words: readonly string[];
  readonly json: boolean;
  readonly jsonLines: boolean;
  readonly noColour: boolean;
  readonly isHelp: boolean;
  readonly isVersion: boolean;
}

// The flags every command has, in any position. Nothing after `--` is a flag.
function readCall(given: readonly string[]): Call {
  const end = given.includes("--") ? given.indexOf("--") : given.length;
  const [flags, literal] = [given.slice(0, end), given.slice(end)];
  const has = (...names: string[]) => flags.some((word) => names.includes(word));
  const common = ["--json", "--no-color", "--help", "-h"];
  return {
    words: [...flags.filter((word) => !common.includes(word)), ...literal],
    json: has("--json"),
    jsonLines: has("--jsonl"),
    noColour: has("--no-color"),
    isHelp: has("--help", "-h"),
    isVersion:
      ["--version", "-V", "-v"].includes(flags[0] ?? "") || (flags.length === 2 && has("--version") && has("--json")),
  };
}

async function run(
  command: ListedCommand,
  words: readonly string[],
  terminal: Terminal,
  printer: Printer,
): Promise<number> {
  const loaded = await command.load();
  const result = await loaded.run(command, {
    arguments: words,
    readArguments,
    env: terminal.env,
    file: readConfigFile(terminal),
    isTerminal: terminal.isTerminal,
    isColoured: printer.look.isColoured,
    json: printer.json,
    isUnicode: printer.isTalkUnicode,
    say: (line) => printer.say(line),
    line: (line) => terminal.out(`${line}\n`),
    redraw: (line) => printer.redraw(line),
    exit: terminal.exit,
  });
  return printer.result(command.name, result);
}

class Printer {
  readonly json: boolean;
  readonly look: Look;
  readonly #jsonLines: boolean;
  readonly #talkLook: Look;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal, call: Call) {
    this.#terminal = terminal;
    this.json = call.json;
    this.#jsonLines = call.jsonLines;
    this.look = detectLook(terminal, call.noColour);
    this.#talkLook = detectLook({ ...terminal, isTerminal: terminal.isTalkTerminal }, call.noColour);
  }

  get isTalkUnicode(): boolean {
    return this.#talkLook.isUnicode;
  }

  // Output for programs has no width limit.
  get columns(): number {
    return this.#terminal.isTerminal && !this.json ? this.#terminal.columns() || 80 : Number.POSITIVE_INFINITY;
  }

  say(line: string): void {
    this.#terminal.err(`${shown(colouredMarks(line, this.#talkLook), this.#talkLook)}\n`);
  }

  // Redraws one status line; returns false if there is no terminal. A line that reached the edge would wrap, and redrawing it
  // would leave the first half behind.
  redraw(line: string | ((columns: number) => string)): boolean {
    if (!this.#terminal.isTalkTerminal || this.json) return false;
    const room = (this.#terminal.talkColumns() || 80) - 1;
    const text = typeof line === "string" ? line : line(room);
    this.#terminal.err(`\r\u001b[2K${shown(cut(text, room), this.#talkLook)}`);
    return true;
  }

  data(command: string, data: unknown, text: string): number {
    return this.result(command, { data, text });
  }

  result(command: string, result: CommandResult): number {
    const exitCode = result.exitCode ?? exitCodes.done;
    const warnings = result.warnings ?? [];
    if (this.json) {
      const code = Object.entries(exitCodes).find(([, number]) => number === exitCode)?.[0] ?? "unexpected";
      const error = exitCode === 0 ? {} : { error: { code, message: result.problem ?? "The command failed." } };
      this.#object({ ok: exitCode === 0, command, data: result.data, warnings, ...error });
      return exitCode;
    }
    for (const warning of warnings) this.say(`! ${warning}`);
    const text = this.#render(result.text);
    if (this.#terminal.isTerminal && isEmptyTable(result.text)) this.say(result.text.empty ?? "None.");
    else if (text !== "") this.#terminal.out(shown(text.endsWith("\n") ? text : `${text}\n`, this.look));
    if (result.afterwards !== undefined) this.say(result.afterwards);
    return exitCode;
  }

  fail(failure: Failure): number {
    const { code, message, hint, requestId, isRetryable, billed } = failure;
    const error = { code, message, hint, request_id: requestId, retryable: isRetryable, billed };
    if (this.json) this.#object({ ok: false, error });
    else {
      // With --jsonl, a program waits for the final line.
      if (this.#jsonLines) this.#object({ type: "result", ok: false, error });
      for (const line of this.#fitted("✕ ", message)) this.say(line);
      if (failure.stack !== undefined && this.#isDebugging()) this.say(coloured(failure.stack, "dim", this.#talkLook));
      if (hint !== undefined) for (const line of this.#fitted("  → ", hint)) this.say(line);
      if (requestId !== undefined) this.say(coloured(`  request ${requestId}`, "dim", this.#talkLook));
    }
    return exitCodeOf(failure);
  }

  // Wraps at words to the terminal's width; continuation lines keep their own indent.
  #fitted(head: string, text: string): string[] {
    const columns = this.#terminal.isTalkTerminal ? this.#terminal.talkColumns() || 80 : Number.POSITIVE_INFINITY;
    const [first = "", ...rest] = text.split("\n");
    return [
      ...hanging(head, first, columns),
      ...rest.flatMap((line) => hanging(/^ */.exec(line)?.[0] ?? "", line.trimStart(), columns)),
    ];
  }

  #isDebugging(): boolean {
    return this.#terminal.env["ATELIER_LOG_LEVEL"] === "debug";
  }

  #render(text: CommandResult["text"]): string {
    if (typeof text === "string") return colouredMarks(text, this.look);
    return this.#terminal.isTerminal
      ? aligned(text, this.look, this.#terminal.now(), this.columns)
      : tabSeparated(text);
  }

  #object(value: object): void {
    this.#terminal.out(`${jsonText(value)}\n`);
  }
}

const isEmptyTable = (text: CommandResult["text"]): text is Exclude<CommandResult["text"], string> =>
  typeof text !== "string" && text.rows.length === 0;

function readConfigFile(terminal: Terminal): Record<string, unknown> {
  const text = terminal.readFile("atelier.config.json");
  if (text === null) return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ConfigFileProblem(`Cannot read atelier.config.json: ${error instanceof Error ? error.message : error}`);
  }
  if (!isRecord(value)) throw new ConfigFileProblem("atelier.config.json must contain one JSON object.");
  return { ...value };
}

class ConfigFileProblem extends Error {
  readonly problems = [this.message];
}

function unknownCommand(name: string, commands: readonly ListedCommand[], hasServer: boolean): Failure {
  const near = nearWord(
    name,
    commands.map((command) => command.name),
  );
  if (name.startsWith("-"))
    return usageFailure([`Flags come after the command; "${name}" is not a command.`], "atelier help");
  if (hasServer || near !== ".") return usageFailure([`Unknown command "${name}"${near}`], "atelier help");
  return {
    kind: "not_there",
    code: "not_there",
    message: `The command "${name}" needs the server, which is not installed here.`,
    hint: "install it next to this package: npm install @atelier/server",
  };
}

function helpData(commands: readonly ListedCommand[]): unknown {
  return commands.map(({ name, about, usage, examples, options }) => ({ name, about, usage, examples, options }));
}
