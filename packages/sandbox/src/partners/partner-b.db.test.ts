import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { after, before, describe, test } from "node:test";
import sharp from "sharp";
import { meanDifference } from "../../test/support/measure.ts";
import { face, type PartnerClient, partnerClient, receiver, secrets } from "../../test/support/partner-client.ts";
import { portrait } from "../../test/support/portrait.ts";
import { at, bodyOf } from "../../test/support/sandbox-client.ts";

const hasEnded = (body: Record<string, unknown>) => ["completed", "error"].includes(String(body["status"]));
const small = { width: 96, height: 64, num_frames: 4, fps: 8 };

let sandbox: PartnerClient;
before(async () => {
  // WebP, because sharp can read every frame of it, to the pixel.
  sandbox = await partnerClient({}, "webp");
});
after(() => sandbox.close());

const begun = async (body: unknown, kind = "text-to-video") => {
  const answer = await sandbox.post(`/partner-b/prompts/${kind}`, body);
  const text = await answer.text();
  assert.equal(answer.status, 201, text);
  return { text, id: String(at(JSON.parse(text), "id")) };
};
const ended = async (body: unknown, kind?: string) => {
  const { id } = await begun(body, kind);
  const prompt = await sandbox.until(`/partner-b/prompts/${id}`, hasEnded);
  assert.equal(prompt["status"], "completed", JSON.stringify(prompt["error"]));
  return prompt;
};
const filmOf = async (prompt: Record<string, unknown>) => {
  const file = await fetch(String(prompt["output_url"]), { signal: AbortSignal.timeout(60_000) });
  assert.equal(file.headers.get("content-type"), "image/webp");
  const bytes = Buffer.from(await file.arrayBuffer());
  const { pages = 1, pageHeight, width, height, delay } = await sharp(bytes, { animated: true }).metadata();
  const frame = async (page: number) => new Uint8Array(await sharp(bytes, { page }).removeAlpha().raw().toBuffer());
  return { pages, width, height: pageHeight ?? height, delay, frame };
};

describe("a prompt", () => {
  test("is pending with everything it was sent, and completed with a video of the requested frames", async () => {
    const { text } = await begun({ prompt_text: "a lighthouse", inference_params: { ...small, seed: 7 }, more: 1 });
    const created: unknown = JSON.parse(text);
    assert.deepEqual(
      [
        at(created, "status"),
        at(created, "prompt_text"),
        at(created, "frame_conditioning"),
        at(created, "model_params"),
      ],
      ["pending", "a lighthouse", {}, { model: "sandbox-film-1" }],
    );
    assert.deepEqual(
      [at(created, "output_url"), at(created, "error"), at(created, "meta", "completed_at")],
      [undefined, undefined, undefined],
    );
    assert.deepEqual(
      [
        at(created, "inference_params", "fps"),
        at(created, "inference_params", "steps"),
        at(created, "inference_params", "width"),
      ],
      [8, 80, 96],
    );
    const prompt = await ended({ prompt_text: "a lighthouse", inference_params: { ...small, seed: 7 } });
    const film = await filmOf(prompt);
    assert.deepEqual([film.pages, film.width, film.height], [4, 96, 64]);
    assert.equal(
      film.delay?.reduce((sum, part) => sum + part, 0),
      500,
    );
    assert.ok(Number(at(prompt, "meta", "duration_s")) >= 0.05);
    assert.ok(meanDifference(await film.frame(0), await film.frame(3)) > 0.3);
  });

  test("a large size keeps its aspect ratio within 480 pixels, and the default is 1920 by 1080", async () => {
    const film = await filmOf(await ended({ prompt_text: "sea", inference_params: { num_frames: 2 } }));
    assert.deepEqual([film.width, film.height], [480, 270]);
    const tall = await filmOf(
      await ended({ prompt_text: "sea", inference_params: { num_frames: 1, width: 1000, height: 2000 } }),
    );
    assert.deepEqual([tall.width, tall.height, tall.pages], [240, 480, 1]);
  });
});

describe("seeds", () => {
  test("are echoed digit for digit, count in every bit, and are seen as sent", async () => {
    const frames: Uint8Array[] = [];
    for (const seed of ["9007199254740993", "9007199254740992"]) {
      const body = `{"prompt_text":"hills","inference_params":{"width":96,"height":64,"num_frames":1,"seed": ${seed}}}`;
      const { text, id } = await begun(body);
      assert.ok(text.includes(`"seed":${seed}`), text);
      const read = await (await sandbox.get(`/partner-b/prompts/${id}`)).text();
      assert.ok(read.includes(`"seed":${seed}`), read);
      const log = await bodyOf(await sandbox.control("GET", `/v1/partner-tasks/${id}`));
      assert.deepEqual(
        [at(log, "request", "seed_text"), at(log, "request", "sha256")],
        [seed, createHash("sha256").update(body).digest("hex")],
      );
      frames.push(await (await filmOf(await sandbox.until(`/partner-b/prompts/${id}`, hasEnded))).frame(0));
    }
    const [one, two] = frames;
    assert.ok(one && two && meanDifference(one, two) > 3);
  });

  test("beyond 64 bits are refused, and a missing one is drawn", async () => {
    for (const seed of ["18446744073709551616", "-9223372036854775809", "1.5", '"7"'])
      assert.equal(
        (
          await sandbox.post(
            "/partner-b/prompts/text-to-video",
            `{"prompt_text":"x","inference_params":{"seed":${seed}}}`,
          )
        ).status,
        400,
        seed,
      );
    const { text } = await begun({ prompt_text: "x", inference_params: small });
    assert.match(text, /"seed":-?\d+/);
  });
});

describe("conditioning", () => {
  const size = { width: 96, height: 112, num_frames: 5, fps: 5, seed: 1 };
  const original = portrait(96, 112);

  test("the video begins with the image, or has it at the requested frame", async () => {
    const image_url = `data:image/png;base64,${await face()}`;
    const film = await filmOf(await ended({ image_url, inference_params: size }, "image-to-video"));
    assert.ok(meanDifference(await film.frame(0), original) < 3);
    const later = await filmOf(
      await ended({ prompt_text: "x", image_url, inference_params: { ...size, conditioning_frame_index: 3 } }),
    );
    assert.ok(meanDifference(await later.frame(3), original) < 3);
  });

  test("key frames are where they are placed", async () => {
    const grey = await sharp({ create: { width: 96, height: 112, channels: 3, background: "#606060" } })
      .png()
      .toBuffer();
    const keyframes = { "0": { image_url: grey.toString("base64") }, "4": { image_url: await face() } };
    const prompt = await ended({ keyframes, inference_params: size }, "image-to-video");
    const film = await filmOf(prompt);
    assert.ok(meanDifference(await film.frame(0), new Uint8Array(original.length).fill(0x60)) < 3);
    assert.ok(meanDifference(await film.frame(4), original) < 4);
    assert.equal(typeof at(prompt, "frame_conditioning", "keyframes", "4", "image_url"), "string");
  });
});

test("callbacks carry the prompt object and a signature", async () => {
  const hook = await receiver();
  const { id } = await begun({ prompt_text: "sea", webhook_url: hook.url, inference_params: { ...small, seed: 5 } });
  const letters = await hook.received(2);
  assert.deepEqual(
    letters.map(({ body }) => [body["id"], body["status"]]),
    [
      [id, "processing"],
      [id, "completed"],
    ],
  );
  for (const { headers, raw } of letters)
    assert.equal(
      headers["webhook-signature"],
      `v1,${createHmac("sha256", Buffer.from(secrets["partner-b"])).update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`).update(raw).digest("base64")}`,
    );
  await hook.close();
});

test("invalid members are named, a wrong key is 401, an unknown prompt 404", async () => {
  const wrong = await sandbox.post("/partner-b/prompts/text-to-video", {
    inference_params: { width: 10, num_frames: 129, guidance_scale: 0.5, fps: 1.5 },
  });
  assert.equal(wrong.status, 400);
  const message = String(at(await bodyOf(wrong), "error", "message"));
  for (const name of ["prompt_text", "width", "num_frames", "guidance_scale", "fps"])
    assert.ok(message.includes(name), message);
  assert.equal((await sandbox.post("/partner-b/prompts/image-to-video", { prompt_text: "x" })).status, 400);
  assert.equal((await sandbox.get("/partner-b/prompts/none", { authorization: "Bearer own" })).status, 401);
  const unknown = await sandbox.get("/partner-b/prompts/none");
  assert.deepEqual([unknown.status, at(await bodyOf(unknown), "error", "code")], [404, "not_found"]);
  assert.equal((await sandbox.get("/partner-b/prompts/text-to-video")).status, 404);
});
