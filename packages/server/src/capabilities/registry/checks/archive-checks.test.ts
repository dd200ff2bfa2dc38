import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { craftZip, manifestText } from "../../../../test/support/craft-zip.ts";
import { sourceOf } from "../../../foundation/byte-source.ts";
import { createArchiveChecks } from "./archive-checks.ts";
import { builtInRules } from "./built-in-rules.ts";

let scratch: string;
before(async () => {
  scratch = await mkdtemp(join(tmpdir(), "atelier-archive-checks-"));
});
after(() => rm(scratch, { recursive: true, force: true }));

const declared = { publisherId: "acme", nodeId: "pack", version: "1.0.0" };
const never = new AbortController().signal;
const log = { warn: () => {} };

function bytesOf(bytes: Buffer) {
  const stream = Readable.from([bytes]);
  return { size: bytes.length, stream, source: sourceOf(stream) };
}

test("archives are checked in a child of their own, and nothing of them stays behind", async () => {
  const folder = join(scratch, "checked");
  const checks = await createArchiveChecks({ folder, ruleSet: builtInRules, log });
  try {
    const good = craftZip([{ name: "pyproject.toml", bytes: manifestText(declared) }]);
    const { code, ...verdict } = (await checks.check(bytesOf(good), declared, never)) ?? assert.fail();
    assert.deepEqual(verdict, { verdict: "clean", findings: [], readme: null });
    assert.deepEqual([code?.capabilities, code?.extraction.classes], [[], []]);
    const report = await checks.check(bytesOf(Buffer.from("nothing")), declared, never);
    assert.equal(report?.verdict, "unreadable");
    assert.deepEqual(await readdir(folder), []);
  } finally {
    await checks.close();
  }
});

test("a child that dies says nothing about the archive", async () => {
  const folder = join(scratch, "dying");
  const entry = join(scratch, "dies.mjs");
  await writeFile(entry, `process.send({ kind: "ready" }); process.on("message", () => process.exit(1));`);
  const checks = await createArchiveChecks({ folder, ruleSet: builtInRules, log, childEntryUrl: pathToFileURL(entry) });
  try {
    assert.equal(await checks.check(bytesOf(Buffer.from("x")), declared, never), null);
    assert.deepEqual(await readdir(folder), []);
  } finally {
    await checks.close();
  }
});

test("a check that hangs or runs out of memory is killed and logged, and the next one runs", async () => {
  const entry = join(scratch, "greedy.mjs");
  const program = `
    process.send({ kind: "ready" });
    process.on("message", ({ task }) => {
      const held = [];
      if (task.declared.nodeId === "greedy") for (;;) held.push(Buffer.alloc(8_000_000, held.length % 255));
      for (;;) held.length = 0;
    });`;
  await writeFile(entry, program);
  const warnings: string[] = [];
  const checks = await createArchiveChecks({
    folder: join(scratch, "greedy"),
    ruleSet: builtInRules,
    log: { warn: (about: object) => void warnings.push("kind" in about ? String(about.kind) : "?") },
    childEntryUrl: pathToFileURL(entry),
    timeoutMs: 3_000,
    memoryMegabytesMax: 64,
    atOnce: 2,
  });
  try {
    const asked = ["greedy", "stuck"].map((nodeId) =>
      checks.check(bytesOf(Buffer.from("x")), { ...declared, nodeId }, never),
    );
    assert.deepEqual(await Promise.all(asked), [null, null]);
    assert.deepEqual(warnings.sort(), ["out_of_memory", "timed_out"]);
    assert.deepEqual(await readdir(join(scratch, "greedy")), []);
  } finally {
    await checks.close();
  }
});

test("what a killed process left in the folder is removed at the start", async () => {
  const folder = join(scratch, "left");
  await (await createArchiveChecks({ folder, ruleSet: builtInRules, log })).close();
  await writeFile(join(folder, "left.zip"), "x");
  await (await createArchiveChecks({ folder, ruleSet: builtInRules, log })).close();
  assert.deepEqual(await readdir(folder), []);
});
