// The contract of v2's job operations. The first case of each operation is the successful one.
import assert from "node:assert/strict";
import { newId } from "../../src/foundation/ids.ts";
import { aGraph, idOf, jsonType, submitTo } from "../../src/surfaces/jobs.fixture.ts";
import { type Asked, type ContractCase, caseOf, type Scene } from "./contract-case.ts";

// A graph with this colour costs more than any wallet has.
export const expensiveColor = 402;

const nowhere = newId();
const post = (target: string, body?: unknown): Asked => ({
  method: "POST",
  target,
  ...(body === undefined ? {} : { headers: jsonType, body: typeof body === "string" ? body : JSON.stringify(body) }),
});
const submission = (body: unknown = { workflow: aGraph() }, headers: Record<string, string> = {}): Asked => ({
  ...post("/api/v2/jobs", body),
  headers: { ...jsonType, ...headers },
});

async function aJob(scene: Scene, headers: Record<string, string> = {}): Promise<string> {
  const made = await submitTo(scene.client, { workflow: aGraph() }, headers);
  assert.equal(made.status, 201, made.text);
  const jobId = idOf(made);
  scene.undo(() => scene.client.ask(`/api/v2/jobs/${jobId}/cancel`, { method: "POST" }));
  return jobId;
}

async function aRunningJob(scene: Scene) {
  const jobId = await aJob(scene);
  const run = await scene.worker.claim(jobId);
  let isOver = false;
  const finish = async () => {
    if (!isOver) await run.finish();
    isOver = true;
  };
  scene.undo(finish);
  return { jobId, run, finish };
}

async function anEndedJob(scene: Scene): Promise<string> {
  const { jobId, finish } = await aRunningJob(scene);
  await finish();
  return jobId;
}

const editorGraph = (type: string) => ({
  last_node_id: 1,
  nodes: [{ id: 1, type, inputs: [], outputs: [], widgets_values: [64, 64, 1, 0] }],
  links: [],
});
const tooLong = (bytes: number) => JSON.stringify({ workflow: aGraph(), metadata: "x".repeat(bytes) });

const submit = caseOf("submitJob");
const submitting: readonly ContractCase[] = [
  submit("a graph that can run", 201, null, () => submission()),
  submit("no JSON", 400, "invalid_request", () => submission("{")),
  submit("another content type", 400, "invalid_request", () => submission(undefined, { "content-type": "text/plain" })),
  submit("a graph beyond the credits", 402, "insufficient_credits", () =>
    submission({ workflow: aGraph(expensiveColor) }),
  ),
  submit("a body above the workspace's cap", 413, "payload_too_large", async (scene) => {
    await scene.limit("job_body_bytes", 1_000);
    return submission(tooLong(1_000));
  }),
  submit("an unknown class", 422, "invalid_workflow", () =>
    submission({ workflow: { 1: { class_type: "Nowhere", inputs: {} } } }),
  ),
  submit("an editor's export with a class that nobody knows", 422, "workflow_format_ui", () =>
    submission({ workflow: editorGraph("Nowhere") }),
  ),
  submit("an asset that nobody has", 422, "missing_asset", () =>
    submission({
      workflow: {
        1: { class_type: "LoadImage", inputs: { image: { __type: "core/ASSET", info: { id: nowhere } } } },
        2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
      },
    }),
  ),
  submit("a key of another submission", 422, "idempotency_key_reuse", async (scene) => {
    const key = { "idempotency-key": newId() };
    await aJob(scene, key);
    return submission({ workflow: aGraph(7) }, key);
  }),
  submit("a key again, with the same body", 201, null, async (scene) => {
    const key = { "idempotency-key": newId() };
    await aJob(scene, key);
    return submission(undefined, key);
  }),
  submit("a graph beyond what its caller allows", 422, "price_above_limit", () =>
    submission({ workflow: aGraph(expensiveColor) }, { "x-service-max-credits": "12.5" }),
  ),
  submit("a limit of credits that is none", 400, "invalid_request", () =>
    submission(undefined, { "x-service-max-credits": "-1" }),
  ),
  submit("a full queue", 429, "queue_full", async (scene) => {
    await scene.limit("jobs", 0);
    return submission();
  }),
  submit("a deployment without workers", 429, "deployment_not_ready", (scene) => {
    const before = scene.house.workers;
    scene.house.workers = [];
    scene.undo(async () => {
      scene.house.workers = before;
    });
    return restarted(scene);
  }),
  submit("a label that is too long", 422, "metadata_invalid", () =>
    submission(JSON.stringify({ workflow: aGraph(), metadata: { label: "x".repeat(257) } })),
  ),
  submit("a stopped deployment", 422, "deployment_stopped", async (scene) => {
    const { deployments, deploymentId } = scene.house;
    await deployments.stop(deploymentId, bySystem);
    scene.undo(() => deployments.start(deploymentId, bySystem));
    return submission();
  }),
];

const bySystem = { actor: { kind: "system", id: null } } as const;

// A recent reader may still get the old state; a change takes effect immediately.
async function restarted(scene: Scene): Promise<Asked> {
  await scene.house.deployments.start(scene.house.deploymentId, bySystem);
  scene.undo(() => scene.house.deployments.start(scene.house.deploymentId, bySystem));
  return submission();
}

const list = caseOf("listJobs");
const read = caseOf("getJob");
const graph = caseOf("getJobWorkflow");
const preview = caseOf("getJobPreview");
const follow = caseOf("followJobEvents");
const executed = caseOf("getExecutedWorkflow");
const reading: readonly ContractCase[] = [
  list("the newest", 200, null, () => ({ target: "/api/v2/jobs?limit=2" })),
  list("a cursor that nobody issued", 400, "invalid_cursor", () => ({
    target: "/api/v2/jobs?cursor=nonsense-nonsense",
  })),
  list("more labels than are looked for at once", 400, "invalid_metadata_filter", () => ({
    target: "/api/v2/jobs?metadata[a]=1&metadata[b]=1&metadata[c]=1&metadata[d]=1",
  })),
  read("one's own", 200, null, async (scene) => ({ target: `/api/v2/jobs/${await aJob(scene)}` })),
  read("nobody's", 404, "not_found", () => ({ target: `/api/v2/jobs/${nowhere}` })),
  read("no id", 404, "not_found", () => ({ target: "/api/v2/jobs/nonsense" })),
  graph("one's own", 200, null, async (scene) => ({ target: `/api/v2/jobs/${await aJob(scene)}/workflow` })),
  graph("nobody's", 404, "not_found", () => ({ target: `/api/v2/jobs/${nowhere}/workflow` })),
  preview("the newest", 200, null, async (scene) => {
    const { jobId, run } = await aRunningJob(scene);
    run.preview(Buffer.from("not really a picture"));
    const target = `/api/v2/jobs/${jobId}/preview`;
    for (let look = 0; look < 2_400 && (await scene.client.ask(target)).status !== 200; look++)
      await new Promise((resolve) => setTimeout(resolve, 25));
    return { target };
  }),
  preview("none yet", 404, "not_found", async (scene) => ({ target: `/api/v2/jobs/${await aJob(scene)}/preview` })),
  follow("to the end", 200, null, async (scene) => ({ target: `/api/v2/jobs/${await anEndedJob(scene)}/events` })),
  follow("nobody's", 404, "not_found", () => ({ target: `/api/v2/jobs/${nowhere}/events` })),
  follow("one stream too many", 429, "too_many_streams", async (scene) => {
    const target = `/api/v2/jobs/${await aJob(scene)}/events`;
    await scene.limit("streams", 0);
    return { target };
  }),
  executed("the newest", 200, null, async (scene) => {
    await anEndedJob(scene);
    return { target: "/workflow" };
  }),
  executed("nobody's", 404, "not_found", () => ({ target: `/workflow?job_id=${nowhere}` })),
];

const cancel = caseOf("cancelJob");
const one = caseOf("cancelOneJob");
const many = caseOf("cancelManyJobs");
const convert = caseOf("convertWorkflow");
const health = caseOf("getWorkflowHealth");
const index = caseOf("getWorkflowIndex");
const changing: readonly ContractCase[] = [
  cancel("one that waits", 200, null, async (scene) => post(`/api/v2/jobs/${await aJob(scene)}/cancel`)),
  cancel("nobody's", 404, "not_found", () => post(`/api/v2/jobs/${nowhere}/cancel`)),
  one("one that waits", 200, null, async (scene) => post(`/api/jobs/${await aJob(scene)}/cancel`)),
  one("nobody's", 404, "not_found", () => post(`/api/jobs/${nowhere}/cancel`)),
  many("two that wait", 200, null, async (scene) =>
    post("/api/jobs/cancel", { job_ids: [await aJob(scene), await aJob(scene)] }),
  ),
  many("none", 400, "invalid_request", () => post("/api/jobs/cancel", { job_ids: [] })),
  many("nobody's among them", 404, "not_found", async (scene) =>
    post("/api/jobs/cancel", { job_ids: [await aJob(scene), nowhere] }),
  ),
  many("a body above the cap", 413, "payload_too_large", () => post("/api/jobs/cancel", " ".repeat(1024 * 1024 + 1))),
  convert("classes that are known", 200, null, () =>
    post("/api/v2/workflows/convert", { workflow: editorGraph("EmptyImage") }),
  ),
  convert("no JSON", 400, "invalid_request", () => post("/api/v2/workflows/convert", "{")),
  convert("a class that nobody knows", 422, "invalid_workflow", () =>
    post("/api/v2/workflows/convert", { workflow: editorGraph("Nowhere") }),
  ),
  convert("a body above the cap", 413, "payload_too_large", () =>
    post("/api/v2/workflows/convert", " ".repeat(10 * 1024 * 1024 + 1)),
  ),
  index("with every link", 200, null, () => ({ target: "/api/v2" })),
  health("by anybody", 200, null, () => ({ target: "/api/v2/health" })),
];

export const jobCases: readonly ContractCase[] = [...submitting, ...reading, ...changing];
