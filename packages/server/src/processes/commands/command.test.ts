import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { commandInput } from "../../../test/support/command-input.ts";
import { scopes } from "../../capabilities/identity/index.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { serverCommands } from "../../main.ts";
import { type ListedCommand, readCommand } from "./command.ts";

const keys: Pick<ListedCommand, "options" | "words"> = {
  options: { scopes: { type: "string", about: "" }, yes: { type: "boolean", about: "" } },
  words: { create: ["name"], list: [], pick: ["one", "two?"] },
};
const plain: Pick<ListedCommand, "options" | "words"> = { options: {}, words: ["folder?"] };

function problemsOf(listed: typeof keys, ...words: string[]): string {
  try {
    readCommand(listed, commandInput(words));
  } catch (error) {
    assert.ok(error instanceof UsageProblem);
    return error.problems.join("\n");
  }
  return "";
}

describe("the words of a command", () => {
  test("a verb, its words, own options and settings are read together", () => {
    const read = readCommand(keys, commandInput(["create", "laptop", "--scopes", "models", "--yes", "--port", "9000"]));
    assert.equal(read.verb, "create");
    assert.deepEqual(read.words, ["laptop"]);
    assert.deepEqual(read.options, { scopes: "models", yes: true });
    assert.equal(read.config.port, 9000);
    assert.equal(read.sources.port, "flag");
  });

  test("an optional word may be absent", () => {
    assert.deepEqual(readCommand(plain, commandInput([])).words, []);
    assert.deepEqual(readCommand(keys, commandInput(["pick", "a"])).words, ["a"]);
    assert.deepEqual(readCommand(keys, commandInput(["pick", "a", "b"])).words, ["a", "b"]);
  });

  test("after -- everything is a word", () => {
    assert.deepEqual(readCommand(keys, commandInput(["create", "--", "--yes"])).words, ["--yes"]);
  });

  test("a missing verb, an unknown verb, a missing word and a word too many are refused", () => {
    assert.match(problemsOf(keys), /Missing a subcommand: create, list, pick/);
    assert.match(problemsOf(keys, "crate", "x"), /Unknown subcommand "crate"\. Did you mean "create"\?/);
    assert.match(problemsOf(keys, "toString"), /Unknown subcommand "toString"/);
    assert.match(problemsOf(keys, "create"), /Missing: <name>/);
    assert.match(problemsOf(keys, "list", "x"), /Unexpected arguments: x/);
    assert.match(problemsOf(plain, "a", "b"), /Unexpected arguments: b/);
  });
});

describe("flags", () => {
  test("an unknown flag is refused with the nearest setting or option", () => {
    assert.match(problemsOf(keys, "list", "--scope=x"), /Unknown flag --scope\. Did you mean "--scopes"\?/);
    assert.match(problemsOf(keys, "list", "--prot=1"), /Unknown flag --prot\. Did you mean "--port"\?/);
    assert.match(problemsOf(keys, "list", "-x"), /Unknown flag -x\.$/);
  });

  test("a flag without its value, and a switch with one, are refused", () => {
    assert.match(problemsOf(keys, "list", "--port"), /--port needs a value/);
    assert.match(problemsOf(keys, "list", "--yes=no"), /--yes takes no value/);
  });

  test("every problem is reported at once, settings of the environment included", () => {
    const thrown = (() => {
      try {
        return readCommand(keys, commandInput(["creat", "--prot=1"], { env: { ATELIER_PORT: "many" } }));
      } catch (error) {
        return error;
      }
    })();
    assert.ok(thrown instanceof UsageProblem);
    assert.equal(thrown.problems.length, 3);
  });
});

describe("the list of commands", () => {
  test("every listed command can be loaded and run", async () => {
    for (const command of serverCommands) assert.equal(typeof (await command.load()).run, "function", command.name);
  });

  test("every usage line and every example begins with its own command's name", () => {
    for (const { name, usage, examples } of serverCommands) {
      for (const line of usage) assert.ok(line === name || line.startsWith(`${name} `), line);
      for (const line of examples) assert.match(line, new RegExp(`atelier ${name}( |\\)|$)`));
    }
  });

  test("the help of keys names the scopes that exist", () => {
    const about = serverCommands.find(({ name }) => name === "keys")?.options["scopes"]?.about ?? "";
    assert.ok(about.includes(`of ${scopes.join(", ")}.`), about);
  });

  test("no option of a command hides a setting's flag", () => {
    for (const { options } of serverCommands) {
      for (const name of Object.keys(options)) {
        assert.doesNotMatch(problemsOf({ options: {}, words: [] }, `--${name}=x`), /^$/, name);
      }
    }
  });
});
