// The watch over long turns finds one, on a slow machine as on a fast one: the planted turn is measured in yardsticks.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { watchTurns } from "./support/turns.ts";

const yardstick = new URL("./support/yardstick.ts", import.meta.url).href;
// Runs until its standard input ends, like a server.
const program = (yardsticks: number) => `
  const { slowness } = await import(${JSON.stringify(yardstick)});
  process.stdin.once("data", () => {
    for (let done = 0; done < ${yardsticks}; done++) slowness();
    process.stdout.write("done");
  });
  process.stdin.once("end", () => process.exit());
  process.stdout.write("ready");`;

async function longestTurn(yardsticks: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-turns-"));
  const turns = watchTurns(folder);
  const child = spawn(process.execPath, ["--input-type=module", "-e", program(yardsticks)], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...turns.env },
  });
  try {
    await once(child.stdout, "data");
    return await turns.during(async () => {
      child.stdin.write("now");
      await once(child.stdout, "data");
    });
  } finally {
    child.stdin.end();
    await once(child, "close");
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a turn of three yardsticks is seen as longer than 50 ms wherever it runs, and an empty turn is not", async () => {
  const [none, three] = [await longestTurn(0), await longestTurn(3)];
  assert.ok(none < 50, `${none} ms`);
  assert.ok(three > 100 && three < 400, `${three} ms of what takes about 195 ms there`);
});
