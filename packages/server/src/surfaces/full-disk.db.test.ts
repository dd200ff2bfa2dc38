// A disk that is really full, seen from outside: a small file system under the blobs, which only the administrator of a machine
// can create.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "../foundation/database/index.ts";
import { aClient, aForm, aHouse, errorCode, textOf } from "./surfaces.fixture.ts";

test("a full disk is 507 storage_full, leaves nothing behind and harms nobody; space that is freed is used again", {
  timeout: 900_000,
}, async (t) => {
  const house = await aHouse();
  const blobs = join(house.folder, "blobs");
  await mkdir(blobs, { recursive: true });
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", blobs], { stdio: "ignore" });
  const client = aClient(`http://127.0.0.1:${house.cloudPort}`, { "x-api-key": house.key });
  try {
    if (mounted.status !== 0) return t.skip("a file system of a fixed size can be made by the administrator only");
    const upload = (bytes: Buffer, name: string) =>
      client.ask("/api/v2/assets", { method: "POST", body: aForm(bytes, { file_path: name }) });
    const kept: { id: string; url: string; bytes: Buffer }[] = [];
    let refused = 0;
    for (let round = 0; round < 12; round++) {
      const files = [200_000, 900_000, 1_900_000].map((size) => randomBytes(size));
      const answers = await Promise.all(files.map((bytes, index) => upload(bytes, `${round}-${index}.bin`)));
      for (const [index, answer] of answers.entries()) {
        if (answer.status === 201) {
          const { id, url } = answer.json();
          kept.push({ id: textOf(id), url: textOf(url), bytes: files[index] ?? Buffer.alloc(0) });
          continue;
        }
        assert.deepEqual([answer.status, errorCode(answer)], [507, "storage_full"], answer.text);
        assert.equal(answer.headers["cache-control"], "no-store");
        refused++;
      }
    }
    assert.ok(refused >= 12 && kept.length >= 3, `${refused} refused, ${kept.length} kept`);
    assert.deepEqual(await house.leftovers(), []);
    const [rows] = await house.db.query<Record<string, string>>(sql`
      select (select count(*) from assets) as assets, (select count(*) from blobs) as blobs,
        (select count(*) from blob_pins) as pins, (select sum(bytes) from asset_usage) as used`);
    const used = kept.reduce((sum, { bytes }) => sum + bytes.length, 0);
    assert.deepEqual({ ...rows }, { assets: `${kept.length}`, blobs: `${kept.length}`, pins: "0", used: `${used}` });
    for (const { url, bytes } of kept) assert.ok((await client.ask(url, {}, {})).bytes.equals(bytes));
    for (const { id } of kept)
      assert.equal((await client.ask(`/api/v2/assets/${id}`, { method: "DELETE" })).status, 204);
    await house.blobs.collect({ dryRun: false, signal: new AbortController().signal });
    assert.equal((await upload(randomBytes(6_000_000), "again.bin")).status, 201);
  } finally {
    await client.close();
    if (mounted.status === 0) spawnSync("umount", [blobs], { stdio: "ignore" });
    await house.close();
  }
});
