import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { serverCommands } from "@atelier/server/commands";
import { commandInput } from "../../server/test/support/command-input.ts";
import { allCommands } from "./all-commands.ts";

const commands = allCommands(serverCommands);
const completion = commands.find(({ name }) => name === "completion");

async function scriptFor(shell: string): Promise<string> {
  assert.ok(completion);
  const command = await completion.load();
  const result = await command.run(completion, commandInput([shell]));
  return String(result.text);
}

test("bash completes commands, verbs and flags", { skip: spawnSync("bash", ["-c", "true"]).status !== 0 }, async () => {
  const script = await scriptFor("bash");
  const complete = (...words: string[]) => {
    const line = `${script}\nCOMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length - 1}; _atelier; echo "\${COMPREPLY[@]}"`;
    return spawnSync("bash", ["-c", line], { encoding: "utf8" }).stdout.trim().split(" ");
  };
  assert.deepEqual(complete("atelier", "mod"), ["models"]);
  assert.deepEqual(complete("atelier", "jobs", "can"), ["cancel"]);
  assert.deepEqual(complete("atelier", "run", "--no-w"), ["--no-wait"]);
});

test("every command is in every script, and no name needs quoting", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const script = await scriptFor(shell);
    for (const { name, options } of commands) {
      assert.match(`${name}${Object.keys(options).join("")}`, /^[a-z0-9-]+$/);
      assert.ok(script.includes(name), `${shell}: ${name}`);
    }
  }
});

test("each name appears once: commands with the same name in two packages are one", () => {
  const names = commands.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  const models = commands.find(({ name }) => name === "models");
  assert.ok(models && !Array.isArray(models.words));
  for (const verb of ["list", "show", "schema", "run", "types", "check", "put", "remove", "release"])
    assert.ok(verb in models.words, verb);
});

test("without the server its commands are not listed, and the client's are", () => {
  const names = allCommands(null).map(({ name }) => name);
  assert.ok(names.includes("run") && names.includes("models") && !names.includes("serve"));
});
