// Videos as MP4, judged by ffprobe, and videos made from videos. Without ffmpeg there are none to judge: then we test only the
// answer given instead.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { findTool, runTool } from "@atelier/engine/ffmpeg";
import { meanDifference } from "../../test/support/measure.ts";
import { type PartnerClient, partnerClient } from "../../test/support/partner-client.ts";
import { at, bodyOf } from "../../test/support/sandbox-client.ts";
import { decodeFilm } from "../pictures/film-file.ts";

const [ffmpeg, ffprobe] = [findTool("ffmpeg"), findTool("ffprobe")];
const hasEnded = (body: Record<string, unknown>) => ["completed", "error"].includes(String(body["status"]));
const small = { width: 96, height: 64, num_frames: 12, fps: 24, seed: 4 };

let sandbox: PartnerClient;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "atelier-films-"));
  sandbox = await partnerClient();
});
after(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

async function made(kind: string, body: object): Promise<Record<string, unknown>> {
  const answer = await sandbox.post(`/partner-b/prompts/${kind}`, body);
  assert.equal(answer.status, 201, await answer.clone().text());
  return sandbox.until(`/partner-b/prompts/${at(await bodyOf(answer), "id")}`, hasEnded);
}

async function fileOf(prompt: Record<string, unknown>): Promise<{ type: string | null; bytes: Buffer }> {
  assert.equal(prompt["status"], "completed", JSON.stringify(prompt["error"]));
  const file = await fetch(String(prompt["output_url"]), { signal: AbortSignal.timeout(30_000) });
  return { type: file.headers.get("content-type"), bytes: Buffer.from(await file.arrayBuffer()) };
}

const whole = { fit: (size: { width: number; height: number }) => size, framesMax: 500 };

describe("with ffmpeg", { skip: ffmpeg === null || ffprobe === null ? "ffmpeg is not installed" : false }, () => {
  test("a video is an MP4 in H.264 of the requested size, frames and length, with its table in front", async () => {
    const asked = { ...small, width: 160, height: 91 };
    const { type, bytes } = await fileOf(await made("text-to-video", { prompt_text: "sea", inference_params: asked }));
    assert.equal(type, "video/mp4");
    assert.ok(bytes.indexOf("moov") < bytes.indexOf("mdat"));
    const path = join(folder, "film.mp4");
    await writeFile(path, bytes);
    const entries = "stream=codec_name,pix_fmt,width,height,nb_frames,avg_frame_rate,duration";
    const said = await runTool({
      path: ffprobe ?? "",
      words: ["-v", "error", "-show_entries", entries, "-of", "csv=p=0", path],
      failure: "ffprobe cannot read it",
    });
    assert.deepEqual(said.toString().trim().split(","), [
      "h264",
      ...["160", "90", "yuv420p", "24/1", "0.500000", "12"],
    ]);
  });

  test("a video made from a video keeps size, speed and motion, and takes the light from words and seed", async () => {
    const original = await made("text-to-video", { prompt_text: "a boat at night", inference_params: small });
    const source = await decodeFilm((await fileOf(original)).bytes, whole);
    const after = async (body: object) => {
      const order = { video_url: original["output_url"], control_type: "motion_control", ...body };
      return decodeFilm((await fileOf(await made("video-to-video", order))).bytes, whole);
    };
    const desert = await after({ prompt_text: "desert noon", inference_params: { seed: 1 } });
    assert.deepEqual(
      [desert.width, desert.height, desert.count, desert.framesPerSecond],
      [source.width, source.height, source.count, source.framesPerSecond],
    );
    assert.ok(meanDifference(desert.pixels, source.pixels) > 8);
    const forest = await after({ prompt_text: "green forest", inference_params: { seed: 1 } });
    assert.ok(meanDifference(desert.pixels, forest.pixels) > 4);
    const frame = desert.width * desert.height * 3;
    const movement = ({ pixels, count }: { pixels: Uint8Array; count: number }) =>
      meanDifference(pixels.subarray(0, frame), pixels.subarray((count - 1) * frame));
    const still = await after({
      prompt_text: "desert noon",
      inference_params: { seed: 1, control_params: { motion_intensity: 0 } },
    });
    assert.ok(movement(still) < movement(desert) / 3, `${movement(still)} is not still beside ${movement(desert)}`);
    const posed = await after({
      prompt_text: "desert noon",
      control_type: "pose_control",
      inference_params: { seed: 1 },
    });
    assert.ok(meanDifference(posed.pixels, desert.pixels) > 0.3);
  });
});

test("missing members of a video made from a video are named, and an invalid video fails the task in words", async () => {
  const wrong = await sandbox.post("/partner-b/prompts/video-to-video", { inference_params: { steps: 101 } });
  assert.equal(wrong.status, 400);
  const message = String(at(await bodyOf(wrong), "error", "message"));
  for (const name of ["prompt_text", "video_url", "control_type", "steps"]) assert.ok(message.includes(name), message);
  const failed = await made("video-to-video", {
    prompt_text: "x",
    control_type: "pose_control",
    video_url: `data:video/mp4;base64,${Buffer.from("\0\0\0 ftypisom and nothing else").toString("base64")}`,
  });
  assert.equal(failed["status"], "error");
  assert.match(String(at(failed, "error", "message")), /^(The video|Reading an MP4 needs ffmpeg)/);
});
