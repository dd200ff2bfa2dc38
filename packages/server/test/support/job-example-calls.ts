// One example call for each operation on jobs.
import assert from "node:assert/strict";
import { bearer, listOf, memberOf, textOf } from "./app-client.ts";
import type { ExampleCall, Scene } from "./example-call.ts";
import { until } from "./server-process.ts";

const workflow = {
  1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "example" } },
};

const editorWorkflow = {
  last_node_id: 2,
  nodes: [
    {
      id: 1,
      type: "EmptyImage",
      inputs: [],
      outputs: [{ name: "IMAGE", type: "IMAGE", links: [1] }],
      widgets_values: [16, 16, 1, 0],
    },
    { id: 2, type: "SaveImage", inputs: [{ name: "images", type: "IMAGE", link: 1 }], widgets_values: ["example"] },
  ],
  links: [[1, 1, 0, 2, 0, "IMAGE"]],
};

const submission = (scene: Scene) => ({
  method: "POST",
  path: "/api/v2/jobs",
  headers: bearer(scene.app.key),
  body: { workflow, metadata: "example", priority: 1 },
});

async function aJob(scene: Scene): Promise<string> {
  const answer = await scene.app.call(submission(scene));
  assert.equal(answer.status, 201, answer.text);
  return textOf(answer.json(), "id");
}

const onJob = (path: (jobId: string) => string, method = "GET", status = 200): ExampleCall => ({
  status,
  make: async (scene) => ({ method, path: path(await aJob(scene)), headers: bearer(scene.app.key) }),
});

export const jobExamples: Readonly<Record<string, ExampleCall>> = {
  deleteJobOutput: {
    status: 204,
    make: async (scene) => {
      const id = await aJob(scene);
      const headers = bearer(scene.app.key);
      const output = await until("the job has made something", async () => {
        const job = (await scene.app.call({ path: `/api/v2/jobs/${id}`, headers })).json();
        const [first] = memberOf(job, "status") === "succeeded" ? listOf(job, "outputs") : [];
        return first ? textOf(first, "id") : null;
      });
      return { method: "DELETE", path: `/account/jobs/${id}/outputs/${output}`, headers };
    },
  },
  submitJob: { status: 201, make: submission },
  listJobs: {
    status: 200,
    make: async (scene) => {
      await aJob(scene);
      const path = "/api/v2/jobs?status=queued,running&status=succeeded&metadata=example&limit=2";
      return { path, headers: bearer(scene.app.key) };
    },
  },
  listNodeClasses: {
    status: 200,
    make: ({ app }) => ({
      path: "/api/v2/node-classes?q=scale&category=image",
      headers: bearer(app.key),
    }),
  },
  getNodeClass: {
    status: 200,
    make: ({ app }) => ({ path: "/api/v2/node-classes/ImageScale", headers: bearer(app.key) }),
  },
  getJob: onJob((id) => `/api/v2/jobs/${id}`),
  getJobWorkflow: onJob((id) => `/api/v2/jobs/${id}/workflow`),
  // The job has no preview.
  getJobPreview: onJob((id) => `/api/v2/jobs/${id}/preview`, "GET", 404),
  followJobEvents: {
    status: 200,
    // Uses a job that has ended, so that the stream ends.
    make: async (scene) => {
      const path = `/api/v2/jobs/${await aJob(scene)}`;
      await scene.app.call({ method: "POST", path: `${path}/cancel`, headers: bearer(scene.app.key) });
      return { path: `${path}/events`, headers: bearer(scene.app.key) };
    },
  },
  cancelJob: onJob((id) => `/api/v2/jobs/${id}/cancel`, "POST"),
  cancelOneJob: onJob((id) => `/api/jobs/${id}/cancel`, "POST"),
  cancelManyJobs: {
    status: 200,
    make: async (scene) => ({
      method: "POST",
      path: "/api/jobs/cancel",
      headers: bearer(scene.app.key),
      body: { job_ids: [await aJob(scene), await aJob(scene)] },
    }),
  },
  convertWorkflow: {
    status: 200,
    make: ({ app }) => ({
      method: "POST",
      path: "/api/v2/workflows/convert",
      headers: bearer(app.key),
      body: { workflow: editorWorkflow },
    }),
  },
  createEstimate: {
    status: 200,
    make: ({ app }) => ({
      method: "POST",
      path: "/account/estimates",
      headers: bearer(app.key),
      body: { workflow, metadata: "example" },
    }),
  },
  getJobCharges: {
    status: 200,
    make: async (scene) => ({ path: `/account/jobs/${await aJob(scene)}/charges`, headers: bearer(scene.app.key) }),
  },
  listJobCharges: {
    status: 200,
    make: async (scene) => ({
      path: `/account/jobs/charges?job_id=${await aJob(scene)}`,
      headers: bearer(scene.app.key),
    }),
  },
  getWorkflowIndex: { status: 200, make: ({ app }) => ({ path: "/api/v2", headers: bearer(app.key) }) },
  getWorkflowHealth: { status: 200, make: () => ({ path: "/api/v2/health" }) },
};
