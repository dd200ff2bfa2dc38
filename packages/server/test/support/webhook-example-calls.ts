// One example call for each operation on webhooks. The receiver is a port of this machine without a listener: nothing leaves
// the machine, and the log shows an attempt that reached nothing.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { bearer, listOf, textOf } from "./app-client.ts";
import type { ExampleCall, Scene } from "./example-call.ts";

// Test apps may send webhooks here.
export const deafTarget = "127.0.0.1:9";
const url = `http://${deafTarget}/hook`;

export async function aDelivery({ app }: Pick<Scene, "app">, key = app.key): Promise<string> {
  const sent = await app.call({
    method: "POST",
    path: "/account/webhooks/test",
    headers: bearer(key),
    body: { url },
  });
  assert.equal(sent.status, 202, sent.text);
  const id = textOf(sent.json(), "id");
  for (;;) {
    const look = await app.call({ path: `/account/webhooks/deliveries/${id}`, headers: bearer(key) });
    if (textOf(look.json(), "status") === "dead") return id;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

// Calls are repeated and made side by side: each has its own address, and the oldest endpoints make room for new ones.
export async function anEndpoint({ app }: Pick<Scene, "app">, key = app.key): Promise<string> {
  await makeRoom(app, key);
  const made = await app.call({ method: "POST", path: endpoints, headers: bearer(key), body: newEndpoint() });
  assert.equal(made.status, 201, made.text);
  return textOf(made.json(), "id");
}

const endpoints = "/account/webhooks/endpoints";
const newEndpoint = () => ({ url: `${url}/${randomUUID()}`, types: ["job.succeeded", "job.failed"] });

async function makeRoom(app: Scene["app"], key: string): Promise<void> {
  const list = await app.call({ path: endpoints, headers: bearer(key) });
  for (const endpoint of listOf(list.json(), "data").slice(0, -8))
    await app.call({ method: "DELETE", path: `${endpoints}/${textOf(endpoint, "id")}`, headers: bearer(key) });
}

const onEndpoint = (method: string, status: number, under = "", body?: object): ExampleCall => ({
  status,
  make: async (scene) => ({
    method,
    path: `${endpoints}/${await anEndpoint(scene)}${under}`,
    headers: bearer(scene.app.key),
    ...(body === undefined ? {} : { body }),
  }),
});

const asKey = (path: string): ExampleCall => ({
  status: 200,
  make: ({ app }) => ({ path, headers: bearer(app.key) }),
});

export const webhookExamples: Readonly<Record<string, ExampleCall>> = {
  listWebhookDeliveries: asKey("/account/webhooks/deliveries?status=dead&limit=2"),
  getWebhookDelivery: {
    status: 200,
    make: async (scene) => ({
      path: `/account/webhooks/deliveries/${await aDelivery(scene)}`,
      headers: bearer(scene.app.key),
    }),
  },
  redeliverWebhook: {
    status: 202,
    make: async (scene) => ({
      method: "POST",
      path: `/account/webhooks/deliveries/${await aDelivery(scene)}/redeliver`,
      headers: bearer(scene.app.key),
    }),
  },
  sendTestWebhook: {
    status: 202,
    make: ({ app }) => ({ method: "POST", path: "/account/webhooks/test", headers: bearer(app.key), body: { url } }),
  },
  listWebhookEndpoints: asKey(endpoints),
  createWebhookEndpoint: {
    status: 201,
    make: async ({ app }) => {
      await makeRoom(app, app.key);
      const body = { ...newEndpoint(), filter: { tag: "project=spring" } };
      return { method: "POST", path: endpoints, headers: bearer(app.key), body };
    },
  },
  getWebhookEndpoint: onEndpoint("GET", 200),
  updateWebhookEndpoint: onEndpoint("PATCH", 200, "", { description: "Production" }),
  deleteWebhookEndpoint: onEndpoint("DELETE", 204),
  testWebhookEndpoint: onEndpoint("POST", 202, "/test"),
  rotateWebhookEndpointSecret: onEndpoint("POST", 201, "/secrets", { overlap_seconds: 3600 }),
  pauseWebhookEndpoint: onEndpoint("POST", 200, "/pause"),
  resumeWebhookEndpoint: onEndpoint("POST", 200, "/resume"),
  listWebhookReceivers: asKey("/account/webhooks/receivers"),
  getWebhookTargets: asKey("/account/webhooks/targets"),
  replaceWebhookTargets: {
    status: 200,
    make: ({ app }) => ({
      method: "PUT",
      path: "/account/webhooks/targets",
      headers: bearer(app.key),
      body: { targets: [] },
    }),
  },
  listWebhookSecrets: asKey("/account/webhooks/secrets"),
  rotateWebhookSecret: {
    status: 201,
    make: ({ app }) => ({
      method: "POST",
      path: "/account/webhooks/secrets",
      headers: bearer(app.key),
      body: { overlap_seconds: 3600 },
    }),
  },
};
