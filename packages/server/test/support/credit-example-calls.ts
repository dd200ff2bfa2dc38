// One example call for each operation on usage, credits and caps.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createCalls } from "../../src/capabilities/calls/index.ts";
import { inProcessBus } from "../../src/foundation/bus/bus.ts";
import { systemClock } from "../../src/foundation/clock.ts";
import { trustedId } from "../../src/foundation/ids.ts";
import { silentLog } from "../../src/foundation/log.ts";
import { bearer } from "./app-client.ts";
import { addTenant } from "./app-people.ts";
import type { ExampleCall, Scene } from "./example-call.ts";

const asKey = (path: string): ExampleCall => ({
  status: 200,
  make: ({ app }) => ({ path, headers: bearer(app.key) }),
});

// A call that cost one credit.
const chargedCall = ({ app }: Scene) => anEndedCall({ app }, app.workspaceId, 1_000_000n);

// Ends a call as a provider's answer does.
export async function anEndedCall(
  { app }: Pick<Scene, "app">,
  workspaceId: string,
  microCredits: bigint,
): Promise<string> {
  const blobs = { keep: async () => "", read: async () => null, release: async () => undefined };
  const calls = createCalls({ database: app.database, clock: systemClock, log: silentLog, bus: inProcessBus(), blobs });
  await calls.start();
  const verdict = await calls.begin({
    workspaceId: trustedId(workspaceId),
    subject: "model:sandbox/image-1",
    idempotencyKey: null,
    fingerprint: Buffer.alloc(32),
    isValid: true,
    hold: microCredits,
    priceRecordId: null,
    takesSlot: false,
    isCostly: false,
    slotsMax: 1,
    costlySlotsMax: 1,
    recovery: "neither",
    longestRunSeconds: 60,
  });
  assert.ok(verdict.kind === "begun", "the workspace has the credits");
  const subject = "model:sandbox/image-1";
  const usage = { requestId: null, apiKeyId: null, subject, status: 200, totalMs: 5, providerMs: 4 };
  const { call } = verdict;
  await calls.finish({ call, state: "finished", outcome: "succeeded", charge: microCredits, answer: null, usage });
  await calls.close();
  return call.id;
}

const creditsOf = ({ app }: Scene) => `/admin/workspaces/${app.workspaceId}/credits`;

export const creditExamples: Readonly<Record<string, ExampleCall>> = {
  listUsage: asKey("/account/usage?limit=2&replayed=false"),
  sumUsage: asKey("/account/usage/daily?by=subject"),
  exportUsage: asKey("/account/usage/export?format=csv"),
  getUsageSeries: asKey("/account/usage/series?by=subject&latency=true"),
  listErrorGroups: asKey("/account/errors?limit=5"),
  listAccountModels: asKey("/account/models"),
  listCallableWorks: asKey("/account/models/works?q=fox&limit=5"),
  listTemplates: asKey("/account/templates"),
  // The app has no folder of templates.
  getTemplate: { ...asKey("/account/templates/night-glow"), status: 404 },
  getTemplateEstimate: { ...asKey("/account/templates/night-glow/estimate"), status: 404 },
  getTemplatePicture: { ...asKey("/account/templates/night-glow/picture"), status: 404 },
  getModelStats: asKey("/account/models/stats?hours=24"),
  findThings: asKey("/account/find?q=sandbox"),
  getAccountRequest: {
    status: 200,
    make: async (scene) => ({
      path: `/account/requests/${await chargedCall(scene)}`,
      headers: bearer(scene.app.key),
    }),
  },
  getRequestBodies: {
    status: 200,
    make: async (scene) => ({
      path: `/account/requests/${await chargedCall(scene)}/bodies`,
      headers: bearer(scene.app.key),
    }),
  },
  getRequestBodyKeeping: {
    status: 200,
    make: ({ app }) => ({
      path: `/account/workspaces/${app.workspaceId}/request-bodies`,
      headers: bearer(app.key),
    }),
  },
  setRequestBodyKeeping: {
    status: 200,
    make: ({ app }) => ({
      method: "PUT",
      path: `/account/workspaces/${app.workspaceId}/request-bodies`,
      headers: bearer(app.key),
      body: { enabled: false, keep_hours: 24 },
    }),
  },
  getWorkspaceMove: {
    status: 200,
    make: ({ app }) => ({ path: `/account/workspaces/${app.workspaceId}/move`, headers: bearer(app.key) }),
  },
  moveWorkspace: {
    status: 200,
    // A workspace of its own: it takes no work afterwards.
    make: async ({ app }) => {
      const { key, workspaceId } = await addTenant(app, "Leaving");
      return {
        method: "PUT",
        path: `/account/workspaces/${workspaceId}/move`,
        headers: bearer(key),
        body: { moved_to: "https://other.example" },
      };
    },
  },
  undoWorkspaceMove: {
    status: 200,
    make: ({ app }) => ({
      method: "DELETE",
      path: `/account/workspaces/${app.workspaceId}/move`,
      headers: bearer(app.key),
    }),
  },
  getRetention: {
    status: 200,
    make: ({ app }) => ({ path: `/account/workspaces/${app.workspaceId}/retention`, headers: bearer(app.key) }),
  },
  setRetention: {
    status: 200,
    make: ({ app }) => ({
      method: "PUT",
      path: `/account/workspaces/${app.workspaceId}/retention`,
      headers: bearer(app.key),
      body: { outputs_days: null, uploads_days: 365, history_days: null },
    }),
  },
  estimateRetention: {
    status: 200,
    make: ({ app }) => ({
      method: "POST",
      path: `/account/workspaces/${app.workspaceId}/retention/estimate`,
      headers: bearer(app.key),
      body: { outputs_days: 1, uploads_days: null, history_days: 1 },
    }),
  },
  listErrorAnswers: asKey("/account/error-answers?limit=5&status=404"),
  listPlaygroundRuns: asKey("/account/playground-runs?model=sandbox/image-1&limit=5"),
  keepPlaygroundRun: {
    status: 201,
    make: ({ app }) => ({
      method: "POST",
      path: "/account/playground-runs",
      headers: bearer(app.key),
      body: {
        model: "sandbox/image-1",
        input: '{"prompt":"a fox"}',
        request_id: null,
        credits: "0",
        asset_ids: [],
      },
    }),
  },
  deletePlaygroundRun: {
    status: 404,
    make: ({ app }) => ({
      method: "DELETE",
      path: `/account/playground-runs/${randomUUID()}`,
      headers: bearer(app.key),
    }),
  },
  deletePlaygroundRuns: {
    status: 204,
    make: ({ app }) => ({ method: "DELETE", path: "/account/playground-runs", headers: bearer(app.key) }),
  },
  // Nothing is dialled: no such request is on record.
  keepModelOutput: {
    status: 404,
    make: ({ app }) => ({
      method: "POST",
      path: "/account/model-outputs",
      headers: bearer(app.key),
      body: { request_id: randomUUID(), url: "https://127.0.0.1/fox.png", name: "fox.png", tags: ["playground"] },
    }),
  },
  getCredits: asKey("/account/credits"),
  getAccountQueue: asKey("/account/queue"),
  setAccountQueue: {
    status: 200,
    make: ({ app }) => ({
      method: "PUT",
      path: "/account/queue",
      headers: bearer(app.key),
      body: { paused: false },
    }),
  },
  listCreditLines: asKey("/account/credits/lines?limit=1"),
  getKeyCaps: {
    status: 200,
    make: ({ app, owner }) => ({ path: `/account/keys/${owner.keyId}/caps`, headers: bearer(app.key) }),
  },
  setKeyCaps: {
    status: 200,
    make: ({ app, owner }) => ({
      method: "PUT",
      path: `/account/keys/${owner.keyId}/caps`,
      headers: bearer(app.key),
      body: { daily_credits_max: "1000000", monthly_credits_max: null },
    }),
  },
  getWorkspaceCredits: {
    status: 200,
    make: (scene) => ({ path: creditsOf(scene), headers: bearer(scene.app.adminToken) }),
  },
  listWorkspaceCreditLines: {
    status: 200,
    make: (scene) => ({ path: `${creditsOf(scene)}/lines`, headers: bearer(scene.app.adminToken) }),
  },
  topUpWorkspace: {
    status: 201,
    make: (scene) => ({
      method: "POST",
      path: creditsOf(scene),
      headers: { ...bearer(scene.app.adminToken), "idempotency-key": "invoice-7" },
      body: { amount: "500", note: "invoice 7" },
    }),
  },
  withdrawFromWorkspace: {
    status: 201,
    make: (scene) => ({
      method: "POST",
      path: `${creditsOf(scene)}/withdrawals`,
      headers: bearer(scene.app.adminToken),
      body: { amount: "0.5" },
    }),
  },
  refundCall: {
    status: 200,
    make: async (scene) => ({
      method: "POST",
      path: `/admin/calls/${await chargedCall(scene)}/refund`,
      headers: bearer(scene.app.adminToken),
      body: {},
    }),
  },
};
