// Node classes that are declared in files: served with the others, priced, run against the sandbox's stand-ins, and paid once.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { BadgeMap, GraphEstimate, JobCharges } from "@atelier/contract";
import { parseCredits } from "../src/capabilities/prices/index.ts";
import { requireValid } from "../src/foundation/json/schema.ts";
import { UsageProblem } from "../src/foundation/settings.ts";
import { bearer, memberOf, textOf } from "./support/app-client.ts";
import { raiseRates } from "./support/app-people.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let folder: string;

// An operator's class, without code.
const own = {
  provider: "sandbox",
  classes: [
    {
      name: "OurSandboxPicture",
      category: "ours",
      description: "A picture of the sandbox.",
      input: {
        required: { prompt: ["STRING", { default: "" }], side: ["INT", { default: 256, min: 64, max: 512 }] },
        optional: { seed: ["INT", { default: 0, min: 0, max: 1000 }] },
      },
      outputs: [{ type: "IMAGE", name: "IMAGE", from: ["/images/*/b64_json"] }],
      calls: [
        {
          model: "sandbox/image-1",
          body: {
            prompt: { $input: "prompt" },
            width: { $input: "side" },
            height: { $input: "side" },
            seed: { $input: "seed" },
            response_format: "b64_json",
          },
        },
      ],
    },
  ],
};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "atelier-partner-nodes-"));
  await writeFile(join(folder, "own.json"), JSON.stringify(own));
  app = await testApp({
    env: {
      ATELIER_SANDBOX: "on",
      ATELIER_STAND_INS: "on",
      ATELIER_PROVIDER_NODES: join(folder, "own.json"),
      ATELIER_BOOTSTRAP_CREDITS: "1000000",
      ATELIER_ENGINE_SLOTS: "1",
    },
  });
  await raiseRates(app, app.workspaceId);
});
after(async () => {
  await app?.close();
  await rm(folder, { recursive: true, force: true });
});

const headers = () => ({ ...bearer(app.key), "content-type": "application/json" });
const get = async (path: string) => (await app.call({ path, headers: bearer(app.key) })).json();
const post = (path: string, body: unknown) => app.call({ method: "POST", path, headers: headers(), body });
const credits = (text: unknown): bigint => parseCredits(String(text)) ?? assert.fail(String(text));

async function run(graph: object) {
  const estimated = requireValid(GraphEstimate, (await post("/account/estimates", { workflow: graph })).json());
  const submitted = await post("/api/v2/jobs", { workflow: graph });
  assert.equal(submitted.status, 201, submitted.text);
  const id = textOf(memberOf(submitted.json(), "id"));
  const job = await until("the job's end", async () => {
    const now = await get(`/api/v2/jobs/${id}`);
    return ["succeeded", "failed"].includes(textOf(memberOf(now, "status"))) ? now : null;
  });
  assert.equal(memberOf(job, "status"), "succeeded", JSON.stringify(job));
  const charges = requireValid(JobCharges, await get(`/account/jobs/${id}/charges`));
  return { id, job, estimated, charges };
}

const lighthouse = {
  "1": {
    class_type: "GeminiImage2Node",
    inputs: {
      prompt: "a lighthouse",
      model: "gemini-3-pro-image-preview",
      seed: 1,
      aspect_ratio: "16:9",
      resolution: "1K",
      response_modalities: "IMAGE+TEXT",
      images: ["0", 0],
    },
  },
  "0": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 2, color: 255 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
  "3": { class_type: "PreviewAny", inputs: { source: ["1", 1] } },
};

test("declared classes are listed with the engine's, and have a badge made from the price of their model", async () => {
  const listed = await get("/api/v2/node-classes/GeminiImage2Node");
  assert.equal(memberOf(listed, "title"), "Nano Banana Pro (Google Gemini Image)");
  const badges = requireValid(BadgeMap, await get("/nodes/pricing/badges?app_version=nightly&platform=cloud"));
  for (const name of ["GeminiImage2Node", "RunwayImageToVideoNodeGen4", "OurSandboxPicture"])
    assert.ok(badges[name], name);
  const described = await get("/api/v2/node-classes?format=object_info");
  assert.equal(memberOf(described, "GeminiImage2Node", "api_node"), true);
  assert.deepEqual(memberOf(described, "GeminiImage2Node", "price_badge"), badges["GeminiImage2Node"]);
  assert.equal(memberOf(described, "SaveImage", "price_badge"), undefined);
});

test("a class runs against its partner's stand-in, and its charge lies within the estimate", async () => {
  const { job, estimated, charges } = await run(lighthouse);
  const kinds = memberOf(job, "outputs");
  assert.ok(Array.isArray(kinds));
  assert.deepEqual(kinds.map((each) => memberOf(each, "type")).sort(), ["image", "text"]);
  const charged = credits(charges.credits);
  assert.ok(charged > 0n);
  assert.ok(credits(estimated.credits.lowest) <= charged && charged <= credits(estimated.credits.highest));
  // The same graph again: nothing changed, nothing is called.
  assert.equal(credits((await run(lighthouse)).charges.credits), 0n);
});

test("a model that takes a form, and one that gives a file, run against their stand-ins", async () => {
  const { job } = await run({
    "1": { class_type: "EmptyImage", inputs: { width: 32, height: 32, batch_size: 1, color: 255 } },
    "2": { class_type: "RecraftCrispUpscaleNode", inputs: { image: ["1", 0] } },
    "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "x" } },
    "4": {
      class_type: "RecraftV4TextToVectorNode",
      inputs: { prompt: "a fox", negative_prompt: "", model: "recraftv4", "model.size": "1024x1024", n: 1, seed: 1 },
    },
    "5": { class_type: "SaveSVGNode", inputs: { svg: ["4", 0], filename_prefix: "x" } },
  });
  const made = memberOf(job, "outputs");
  assert.ok(Array.isArray(made), JSON.stringify(job));
  assert.deepEqual(made.map((each) => memberOf(each, "content_type")).sort(), ["image/png", "image/svg+xml"]);
});

test("an operator's class needs no code", async () => {
  const graph = {
    "1": { class_type: "OurSandboxPicture", inputs: { prompt: "a barn", side: 128 } },
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
  };
  const { estimated, charges } = await run(graph);
  assert.equal(credits(charges.credits), credits(estimated.credits.highest));
});

test("a choice without a model, and a wrong value, are refused at submission and nothing is paid", async () => {
  const claude = (inputs: object) => ({
    "1": { class_type: "ClaudeNode", inputs: { prompt: "hello", seed: 0, ...inputs } },
    "2": { class_type: "PreviewAny", inputs: { source: ["1", 0] } },
  });
  const refused = async (inputs: object) => {
    const answer = await post("/api/v2/jobs", { workflow: claude(inputs) });
    assert.equal(answer.status, 422, answer.text);
    return answer.text;
  };
  assert.match(
    await refused({
      model: "Sonnet 4.6",
      "model.max_tokens": 4096,
      "model.reasoning_effort": "low",
      "model.temperature": 1,
    }),
    /no_call_fits/,
  );
  assert.match(
    await refused({ model: "Haiku 4.5", "model.max_tokens": 1, "model.temperature": 1 }),
    /value_smaller_than_min/,
  );
  assert.match(await refused({ model: "Haiku 4.5", "model.max_tokens": 4096 }), /required_input_missing/);
});

test("a wrong file ends the start and names its line", async () => {
  const path = join(folder, "wrong.json");
  await writeFile(path, JSON.stringify({ ...own, classes: [{ ...own.classes[0], name: "SaveImage" }] }, null, 1));
  await assert.rejects(testApp({ env: { ATELIER_PROVIDER_NODES: path } }), (thrown) => {
    assert.ok(thrown instanceof UsageProblem);
    assert.match(
      thrown.problems[0] ?? "",
      /wrong\.json is wrong, line 5: \/classes\/0\/name SaveImage is a class of the engine/,
    );
    return true;
  });
});
