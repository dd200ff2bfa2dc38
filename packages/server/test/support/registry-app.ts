// A test app's registry as its callers see it.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { AppAnswer } from "./app-client.ts";
import { textOf } from "./app-client.ts";
import type { TestApp } from "./test-app.ts";

type Headers = Readonly<Record<string, string>>;

// An unknown id, for a publisher or a node.
export const someId = (beginning = "p") => `${beginning}${randomBytes(6).toString("hex")}`;

export function send(
  app: Pick<TestApp, "call">,
  method: string,
  path: string,
  headers: Headers = {},
  body?: unknown,
): Promise<AppAnswer> {
  return app.call({ method, path, headers, ...(body === undefined ? {} : { body }) });
}

export async function createPublisher(
  app: Pick<TestApp, "call">,
  headers: Headers,
  more: object = {},
): Promise<AppAnswer> {
  const answer = await send(app, "POST", "/publishers", headers, { id: someId(), name: "A publisher", ...more });
  assert.equal(answer.status, 201, answer.text);
  return answer;
}

// Returns the node's id.
export async function createNode(
  app: Pick<TestApp, "call">,
  headers: Headers,
  publisherId: string,
  more: object = {},
): Promise<string> {
  const body = { id: someId("n"), name: "A node", ...more };
  const answer = await send(app, "POST", `/publishers/${publisherId}/nodes`, headers, body);
  assert.equal(answer.status, 201, answer.text);
  return textOf(answer.json(), "id");
}
