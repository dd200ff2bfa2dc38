// Files of every supported kind, compared with what the application's own reader makes of them.
// test/python/write-picture-files.py recorded the expected values.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { runClass, testContext } from "../../test/support/run-class.ts";
import { isRecord } from "../graph/graph.ts";
import type { Value } from "../pictures/picture.ts";

const folder = await mkdtemp(join(tmpdir(), "atelier-pictures-test-"));
after(() => rm(folder, { recursive: true, force: true }));

const parsed: unknown = JSON.parse(
  await readFile(new URL("../../test/python/picture-files.json", import.meta.url), "utf8"),
);
const listed = isRecord(parsed) && Array.isArray(parsed["files"]) ? parsed["files"].filter(isRecord) : [];

async function loaded(name: string, inputs: Readonly<Record<string, unknown>>, file: Buffer): Promise<Value[]> {
  const path = join(folder, "picture");
  await writeFile(path, file);
  return runClass(name, { image: "a", ...inputs }, testContext({ file: async () => path }));
}

function digestOf(value: Value | undefined): { readonly size: readonly number[]; readonly digest: string } {
  assert.ok(typeof value === "object" && (value.kind === "image" || value.kind === "mask"));
  const levels = Uint8Array.from(value.data, (level) => Math.round(level * 255));
  const digest = createHash("sha256").update(levels).digest("hex").slice(0, 32);
  return { size: [value.batch, value.height, value.width], digest };
}

describe("a picture file is read as the application reads it", () => {
  for (const row of listed) {
    test(String(row["name"]), async () => {
      const file = Buffer.from(String(row["file"]), "base64");
      const [image, mask] = await loaded("LoadImage", {}, file);
      assert.deepEqual(digestOf(image), { size: row["size"], digest: row["picture"] }, "picture");
      assert.deepEqual(digestOf(mask), { size: row["maskSize"], digest: row["mask"] }, "mask");
      const [alpha] = await loaded("LoadImageMask", { channel: "alpha" }, file);
      assert.equal(digestOf(alpha).digest, row["alpha"], "alpha");
    });
  }
});

test("every kind is covered", () => assert.ok(listed.length >= 30, `${listed.length}`));
