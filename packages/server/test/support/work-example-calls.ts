// One example call for each operation on works. The app of these calls may have no engine, so no examples are run.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { bearer, textOf } from "./app-client.ts";
import type { ExampleCall, Scene } from "./example-call.ts";

const document = {
  "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "work" } },
};

async function aPublication({ app }: Scene): Promise<{ readonly workflow_id: string; readonly examples: object[] }> {
  const body = { name: `work ${randomUUID()}`, document };
  const answer = await app.call({ method: "POST", path: "/account/workflows", headers: bearer(app.key), body });
  assert.equal(answer.status, 201, answer.text);
  return { workflow_id: textOf(answer.json(), "id"), examples: [] };
}

export async function aWork(scene: Scene): Promise<string> {
  const path = `/account/works/example-${randomUUID()}`;
  const headers = bearer(scene.app.key);
  const answer = await scene.app.call({ method: "PUT", path, headers, body: await aPublication(scene) });
  assert.equal(answer.status, 201, answer.text);
  return path;
}

const ofWork = (method: string, end: string, status: number, body?: () => object): ExampleCall => ({
  status,
  make: async (scene) => ({
    method,
    path: `${await aWork(scene)}${end}`,
    headers: bearer(scene.app.key),
    ...(body === undefined ? {} : { body: body() }),
  }),
});

const newLink = () => ({ budget: "1", expires_at: new Date(Date.now() + 3_600_000).toISOString() });

export const workExamples: Readonly<Record<string, ExampleCall>> = {
  listWorks: {
    status: 200,
    make: ({ app }) => ({ path: "/account/works?q=example&limit=2", headers: bearer(app.key) }),
  },
  publishWork: {
    status: 201,
    make: async (scene) => ({
      method: "PUT",
      path: `/account/works/example-${randomUUID()}`,
      headers: bearer(scene.app.key),
      body: await aPublication(scene),
    }),
  },
  getWork: ofWork("GET", "", 200),
  changeWork: ofWork("PATCH", "", 200, () => ({ title: "An example" })),
  deleteWork: ofWork("DELETE", "", 204),
  listWorkVersions: ofWork("GET", "/versions", 200),
  getWorkVersion: ofWork("GET", "/versions/latest", 200),
  diffWorkVersions: ofWork("GET", "/diff", 200),
  createWorkLink: ofWork("POST", "/links", 201, newLink),
  listWorkLinks: ofWork("GET", "/links", 200),
  deleteWorkLink: {
    status: 204,
    async make(scene) {
      const path = `${await aWork(scene)}/links`;
      const headers = bearer(scene.app.key);
      const made = await scene.app.call({ method: "POST", path, headers, body: newLink() });
      assert.equal(made.status, 201, made.text);
      return { method: "DELETE", path: `${path}/${textOf(made.json(), "id")}`, headers };
    },
  },
};
