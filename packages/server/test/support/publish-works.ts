// Publishes works over HTTP for tests, as one workspace.
import assert from "node:assert/strict";
import { Work } from "@atelier/contract";
import { requireValid } from "../../src/foundation/json/schema.ts";
import { type AppAnswer, bearer, textOf } from "./app-client.ts";
import type { TestApp } from "./test-app.ts";

export const graph = (width = 64) => ({
  "1": { class_type: "EmptyImage", inputs: { width, height: 64, batch_size: 1, color: 255 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "lighthouse" } },
});
export const form = {
  inputs: [{ name: "width", node: "1", input: "width", kind: "integer", minimum: 16, maximum: 512, label: "Width" }],
  outputs: [{ name: "picture", node: "2" }],
};

export function publisher(app: Pick<TestApp, "call">, ownKey: string) {
  let count = 0;
  // Paths without a slash are below /account/works.
  const call = (
    method: string,
    path: string,
    body?: object | string,
    headers: Record<string, string> = {},
    key = ownKey,
  ) =>
    app.call({
      method,
      path: path.startsWith("/") ? path : `/account/works${path === "" || path.startsWith("?") ? path : `/${path}`}`,
      headers: { ...bearer(key), ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body }),
    });
  async function workflow(document: object = graph(), key = ownKey): Promise<string> {
    count += 1;
    const answer = await call("POST", "/account/workflows", { name: `Workflow ${count}`, document }, {}, key);
    assert.equal(answer.status, 201, answer.text);
    return textOf(answer.json(), "id");
  }
  return {
    call,
    workflow,
    async nextVersion(id: string, document: object): Promise<void> {
      const answer = await call("POST", `/account/workflows/${id}/versions`, { document });
      assert.equal(answer.status, 201, answer.text);
    },
    // Without examples, unless the test is about them.
    async published(name: string, more: object = {}): Promise<{ answer: AppAnswer; work: Work; workflowId: string }> {
      const workflowId = await workflow();
      const answer = await call("PUT", name, { workflow_id: workflowId, form, examples: [], ...more });
      assert.equal(answer.status, 201, answer.text);
      return { answer, work: requireValid(Work, answer.json()), workflowId };
    },
  };
}
