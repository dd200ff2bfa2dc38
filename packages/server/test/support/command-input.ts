// What the command line passes to a command when there is no terminal. Arguments are read by the program's own parser.
import { readArguments } from "../../../cli/src/read-call.ts";
import type { CommandInput } from "../../src/processes/commands/command.ts";

export function commandInput(words: readonly string[], more: Partial<CommandInput> = {}): CommandInput {
  return {
    arguments: words,
    readArguments,
    env: {},
    file: {},
    isTerminal: false,
    isColoured: false,
    json: false,
    isUnicode: true,
    say: () => undefined,
    line: () => undefined,
    redraw: () => false,
    exit: () => undefined,
    ...more,
  };
}
