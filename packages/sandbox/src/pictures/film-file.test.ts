import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { findTool } from "@atelier/engine/ffmpeg";

const skip = findTool("ffmpeg") === null ? "ffmpeg is not installed" : false;

test("a process that ends while it encodes a video leaves nothing in the temporary folder", {
  skip,
}, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "atelier-films-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const program = `import { readdirSync } from "node:fs";
import { encodeFilm } from ${JSON.stringify(new URL("./film-file.ts", import.meta.url).href)};
const size = { width: 64, height: 64 };
void encodeFilm({ ...size, count: 2, framesPerSecond: 1, pixels: new Uint8Array(64 * 64 * 3 * 2) }, size, "mp4");
setInterval(() => {
  if (readdirSync(${JSON.stringify(folder)}).length === 0) return;
  process.stdout.write("begun");
  process.exit(0);
}, 1);`;
  const args = ["--conditions=atelier-source", "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, TMPDIR: folder } });
  assert.equal(stdout, "begun");
  assert.deepEqual(await readdir(folder), []);
});
