// One example call for each operation on saved workflows.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { bearer, textOf } from "./app-client.ts";
import type { ExampleCall, Scene } from "./example-call.ts";

const document = {
  "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
  "2": { class_type: "PreviewImage", inputs: { images: ["1", 0] } },
};

async function aWorkflow({ app }: Scene): Promise<string> {
  const body = { name: `example ${randomUUID()}`, document };
  const answer = await app.call({ method: "POST", path: "/account/workflows", headers: bearer(app.key), body });
  assert.equal(answer.status, 201, answer.text);
  return `/account/workflows/${textOf(answer.json(), "id")}`;
}

const ofWorkflow = (method: string, end: string, status: number, body?: () => object): ExampleCall => ({
  status,
  make: async (scene) => ({
    method,
    path: `${await aWorkflow(scene)}${end}`,
    headers: bearer(scene.app.key),
    ...(body === undefined ? {} : { body: body() }),
  }),
});

export const savedWorkflowExamples: Readonly<Record<string, ExampleCall>> = {
  listSavedWorkflows: {
    status: 200,
    make: ({ app }) => ({ path: "/account/workflows?q=example&limit=2", headers: bearer(app.key) }),
  },
  saveWorkflow: {
    status: 201,
    make: ({ app }) => ({
      method: "POST",
      path: "/account/workflows",
      headers: bearer(app.key),
      body: { name: `example ${randomUUID()}`, document },
    }),
  },
  getSavedWorkflow: ofWorkflow("GET", "", 200),
  changeSavedWorkflow: ofWorkflow("PATCH", "", 200, () => ({ tags: ["example"] })),
  deleteSavedWorkflow: {
    status: 204,
    async make(scene) {
      const path = await aWorkflow(scene);
      const headers = bearer(scene.app.key);
      await scene.app.call({ method: "PATCH", path, headers, body: { archived: true } });
      return { method: "DELETE", path, headers };
    },
  },
  duplicateSavedWorkflow: ofWorkflow("POST", "/duplicate", 201, () => ({ name: `copy ${randomUUID()}` })),
  listWorkflowVersions: ofWorkflow("GET", "/versions", 200),
  saveWorkflowVersion: ofWorkflow("POST", "/versions", 201, () => ({
    document: { ...document, "3": { class_type: "PreviewImage", inputs: { images: ["1", 0] } } },
  })),
  getWorkflowDocument: ofWorkflow("GET", "/versions/latest/document", 200),
  diffWorkflowVersions: ofWorkflow("GET", "/diff", 200),
  saveWorkflowForm: ofWorkflow("PUT", "/form", 201, () => ({
    form: {
      inputs: [{ name: "width", node: "1", input: "width", kind: "integer" }],
      outputs: [{ name: "picture", node: "2" }],
    },
  })),
  getWorkflowForm: ofWorkflow("GET", "/form?version=1", 200),
};
