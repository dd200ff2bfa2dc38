// Version 0.30 of the application and the engine read the same floats from files of many kinds. references/make-read-files.py
// made the expected values with the application's own function.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { hashOf } from "../../test/support/reference-inputs.ts";
import { runClass, testContext } from "../../test/support/run-class.ts";
import type { Value } from "../pictures/picture.ts";
import { findTool } from "./ffmpeg.ts";
import { decodedClip } from "./media.ts";

interface PictureSummary {
  readonly shape: readonly number[];
  readonly hash: string;
}

interface ReadFile {
  readonly name: string;
  readonly bytes: string;
  readonly picture: PictureSummary;
  readonly mask?: PictureSummary;
}

const { files }: { readonly files: readonly ReadFile[] } = JSON.parse(
  readFileSync(new URL("../../references/read-files-0.30.json", import.meta.url), "utf8"),
);
const isInstalled = findTool("ffmpeg") !== null && findTool("ffprobe") !== null;
const skip = isInstalled ? false : "ffmpeg is not installed: reading as 0.30 does is not tried";
const folder = await mkdtemp(join(tmpdir(), "atelier-read-test-"));
after(() => rm(folder, { recursive: true, force: true }));

function summarize(value: Value | undefined): PictureSummary {
  assert.ok(typeof value === "object" && (value.kind === "image" || value.kind === "mask"));
  const channels = value.kind === "image" ? [value.channels] : [];
  return { shape: [value.batch, value.height, value.width, ...channels], hash: hashOf(value.data) };
}

test("pictures and videos are read as the application's 0.30 reads them, float by float", { skip }, async () => {
  assert.ok(files.length >= 40, `${files.length}`);
  for (const file of files) {
    const path = join(folder, file.name);
    await writeFile(path, Buffer.from(file.bytes, "base64"));
    const context = testContext({ profile: "0.30", file: async () => path });
    if (file.name.endsWith(".mp4")) {
      const [clip] = await runClass("LoadVideo", { file: "a" }, context);
      assert.ok(typeof clip === "object" && clip.kind === "video");
      assert.deepEqual(summarize((await decodedClip(clip, context)).frames), file.picture, file.name);
      continue;
    }
    const [picture, mask] = await runClass("LoadImage", { image: "a" }, context);
    assert.deepEqual(summarize(picture), file.picture, file.name);
    const { batch } = { batch: file.picture.shape[0] ?? 0 };
    if (file.mask) assert.deepEqual(summarize(mask), file.mask, file.name);
    else assert.deepEqual(summarize(mask).shape, [batch, 64, 64], file.name);
  }
});
