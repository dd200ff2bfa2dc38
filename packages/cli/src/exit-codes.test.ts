// docs/CLI.md lists the same exit codes as the program; its table of commands is generated.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { exitCodes } from "./exit-codes.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/CLI.md"), "utf8");

test("every exit code is in its table", () => {
  for (const code of Object.values(exitCodes)) assert.match(page, new RegExp(`^\\| ${code} \\| `, "m"));
});
