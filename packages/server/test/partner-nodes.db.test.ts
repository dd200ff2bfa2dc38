// The partner proxy as the application's partner nodes know it: what it offers with the switch, and that none of it
// exists without.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { BadgeMap } from "@atelier/contract";
import jsonata from "jsonata";
import { requireValid } from "../src/foundation/json/schema.ts";
import { bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { owner } from "./support/app-people.ts";
import { type PartnerApp, partnerApp, pixel, relightPath, taskIdOf } from "./support/partner-app.ts";
import { pushedClock } from "./support/pushed-clock.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let it: PartnerApp;
let plain: TestApp;
const clock = pushedClock();
before(async () => {
  it = await partnerApp({ clock, env: { ATELIER_DIALECT: "comfy" } });
  plain = await testApp({ beside: it.app, env: it.partner.env, credentials: it.partner.credentials });
});
after(async () => {
  await plain?.close();
  await it?.close();
});

const creditsPerUsd = 211;
const film = "https://films.example/1.mp4";
const tools = [
  {
    path: "/proxy/freepik/v1/ai/image-upscaler",
    node: "MagnificImageUpscalerCreativeNode",
    body: { image: pixel, scale_factor: "8x", creativity: -3, engine: "magnific_sharpy" },
    widgets: { scale_factor: "8x" },
  },
  {
    path: "/proxy/freepik/v1/ai/image-upscaler-precision-v2",
    node: "MagnificImageUpscalerPreciseV2Node",
    body: { image: pixel, scale_factor: 16, flavor: "photo" },
    widgets: { scale_factor: "16x" },
  },
  {
    path: "/proxy/freepik/v1/ai/image-style-transfer",
    node: "MagnificImageStyleTransferNode",
    body: { image: pixel, reference_image: pixel, flavor: "gen_z", is_portrait: false },
    widgets: {},
  },
  {
    path: "/proxy/moonvalley/prompts/video-to-video",
    node: "MoonvalleyVideo2VideoNode",
    body: { prompt_text: "noon", video_url: film, control_type: "pose_control", inference_params: { seed: 3 } },
    widgets: {},
  },
];

for (const { path, node, body, widgets } of tools)
  test(`${path} is started, followed to its end and charged as the badge of ${node} says`, async () => {
    const isA = path.includes("freepik");
    const started = await it.post(path, body, { "idempotency-key": `key of ${node}`.replaceAll(" ", "-") });
    assert.equal(started.status, isA ? 200 : 201, started.text);
    const id = taskIdOf(started);
    const read = isA ? `${path}/${id}` : `/proxy/moonvalley/prompts/${id}`;
    const running = await it.read(read);
    assert.equal(headerOf(running, "x-comfy-credits-used"), undefined);
    const status = isA ? "COMPLETED" : "completed";
    it.partner.state(it.partnerTaskOf(started), status, {
      generated: ["https://pictures.example/1.png"],
      output_url: film,
    });
    const done = await it.untilStatus(read, status);
    const badges = await it.app.call({ path: "/nodes/pricing/badges?comfyui_version=nightly&platform=cloud" });
    const badge = requireValid(BadgeMap, badges.json())[node];
    const shown: unknown = await jsonata(badge?.expr ?? "0").evaluate({ widgets, inputs: {}, inputGroups: {} });
    const charged = Number(headerOf(done, "x-comfy-credits-used"));
    assert.ok(
      Math.abs(charged - Number(memberOf(shown, "usd")) * creditsPerUsd) < 1e-6,
      `${charged} for ${JSON.stringify(shown)}`,
    );
    if (!isA)
      assert.deepEqual(memberOf(done.json(), "frame_conditioning"), { video_url: film, control_type: "pose_control" });
    await it.invariantsHold();
  });

test("an invalid member is reported by its field", async () => {
  for (const [path, body, field] of [
    ["/proxy/freepik/v1/ai/image-upscaler", { image: pixel, scale_factor: "3x" }, "scale_factor"],
    ["/proxy/freepik/v1/ai/image-upscaler-precision-v2", { image: pixel, ultra_detail: 101 }, "ultra_detail"],
    ["/proxy/freepik/v1/ai/image-style-transfer", { image: pixel }, "reference_image"],
    [
      "/proxy/moonvalley/prompts/video-to-video",
      { prompt_text: "x", video_url: "http://10.0.0.1/a.mp4", control_type: "pose_control" },
      "video_url",
    ],
  ] as const) {
    const answer = await it.post(path, body);
    assert.equal(answer.status, 400, answer.text);
    assert.ok(answer.text.includes(field), answer.text);
  }
});

test("a new task shows how long such tasks take once three have ended", async () => {
  const path = "/proxy/freepik/v1/ai/image-style-transfer";
  const body = { image: pixel, reference_image: pixel };
  for (let ended = 1; ended < 3; ended++) {
    const started = await it.post(path, body);
    assert.equal(headerOf(started, "x-comfy-estimate-source"), undefined);
    it.partner.state(it.partnerTaskOf(started), "COMPLETED", { generated: ["https://pictures.example/1.png"] });
    await it.untilStatus(`${path}/${taskIdOf(started)}`, "COMPLETED");
  }
  // Known answers are cached for a minute.
  clock.push(120);
  const started = await it.post(path, body);
  assert.ok(Number(headerOf(started, "x-comfy-estimated-duration-seconds")) >= 1);
  assert.ok(Number(headerOf(started, "x-comfy-estimated-duration-p90-seconds")) >= 1);
  assert.equal(headerOf(started, "x-comfy-estimate-source"), "history");
});

test("a key with another body is a 409 that says so, and a repeat gets the first answer", async () => {
  const headers = { "idempotency-key": "once" };
  const first = await it.relight({}, headers);
  const again = await it.relight({}, headers);
  assert.equal(again.text, first.text);
  assert.equal(headerOf(again, "idempotent-replayed"), "true");
  const other = await it.relight({ prompt: "sun" }, headers);
  assert.equal(other.status, 409);
  assert.equal(headerOf(other, "x-comfy-error-type"), "idempotency_mismatch");
  assert.equal(textOf(other.json(), "error"), "idempotency_mismatch");
});

test("a person's token for the partners is renewed within its session and grants nothing else", async () => {
  const person = await owner(it.app);
  const renew = (credential: string) =>
    it.app.call({ method: "POST", path: "/auth/partner-node/renew", headers: bearer(credential) });
  const claims = (jwt: string) => JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString());
  const first = await renew(person.jwt);
  assert.equal(first.status, 200, first.text);
  const token = textOf(first.json(), "token");
  const second = textOf((await renew(token)).json(), "token");
  assert.equal(claims(second).aud, "comfy-partner-node");
  assert.equal(claims(second).sid, claims(person.jwt).sid);
  assert.ok(claims(second).exp > clock.now().getTime() / 1000 + 300);
  assert.equal((await it.read(`${relightPath}/none`, second)).status, 404);
  for (const path of ["/account", "/v1/models", "/api/v2/jobs", "/account/keys"])
    assert.equal((await it.read(path, second)).status, 401, path);
  assert.equal((await renew(it.app.key)).status, 403);
  assert.equal((await renew(`${token.slice(0, -4)}AAAA`)).status, 401);
  const left = await it.app.call({ method: "DELETE", path: "/account/session", headers: bearer(person.jwt) });
  assert.ok(left.status < 500);
});

test("without the switch none of it is mounted", async () => {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    plain.call({ method: "POST", path, body, headers: { ...bearer(plain.key), ...headers } });
  for (const path of [
    "/proxy/partner-a/v1/ai/image-upscaler",
    "/proxy/partner-a/v1/ai/image-style-transfer",
    "/proxy/partner-b/prompts/video-to-video",
    "/proxy/token/renew",
  ])
    assert.ok([404, 405].includes((await post(path, { image: pixel })).status), path);
  const headers = { "idempotency-key": "twice" };
  const started = await post(relightPath, { image: pixel }, headers);
  assert.equal(started.status, 200, started.text);
  const other = await post(relightPath, { image: pixel, prompt: "sun" }, headers);
  assert.deepEqual([other.status, textOf(other.json(), "error")], [400, "idempotency_key_reuse"]);
  assert.equal(headerOf(other, "x-service-error-type"), undefined);
});
