import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { keepFile, replaceFile } from "./keep-file.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-keep-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("what stands under a name is never overwritten: the next free one is used", async () => {
  writeFileSync(join(folder, "a.png"), "mine");
  const wish = { folder, name: "a.png" };
  assert.equal(await keepFile("one", wish), join(folder, "a (1).png"));
  assert.equal(await keepFile("two", wish), join(folder, "a (2).png"));
  assert.equal(readFileSync(join(folder, "a.png"), "utf8"), "mine");
  assert.equal(readFileSync(join(folder, "a (2).png"), "utf8"), "two");
});

test("savers that meet get names of their own", async () => {
  const names = await Promise.all(
    Array.from({ length: 20 }, (_, index) => keepFile(String(index), { folder, name: "b" })),
  );
  assert.equal(new Set(names).size, 20);
});

test("a file that is replaced is the old one or the new one, and a broken stream leaves nothing behind", async () => {
  const path = join(folder, "c.txt");
  await replaceFile(path, "first");
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from("half"));
      controller.error(new Error("cut off"));
    },
  });
  const before = readdirSync(folder).sort();
  await assert.rejects(replaceFile(path, broken), /cut off/);
  assert.equal(readFileSync(path, "utf8"), "first");
  assert.deepEqual(readdirSync(folder).sort(), before);
});
