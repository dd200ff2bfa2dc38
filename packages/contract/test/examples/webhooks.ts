// Examples of the account's operations on webhooks.
import type { Example } from "./example.ts";

const uuid = "0198f3c2-6b1a-7c3d-9e4f-5a6b7c8d9e0f";
const time = "2026-01-02T03:04:05.678Z";
const attempt = {
  number: 1,
  manual: false,
  at: time,
  duration_ms: 12,
  status: 500,
  error: "The receiver answered 500.",
};
const note = {
  at: time,
  kind: "model",
  subject: "sandbox/image-1",
  change: "deprecated",
  deprecated_at: time,
  sunset_at: null,
};
const release = { version: "0.1.0", date: "2026-01-02", text: "First." };
const receiver = {
  receiver: "https://hooks.example",
  failures: 5,
  failing_since: time,
  resting_until: time,
  disabled_at: null,
};

const endpoint = {
  id: uuid,
  url: "https://hooks.example/a",
  description: "Production",
  types: ["job.succeeded", "model_request.completed"],
  filter: { tag: "project=spring" },
  status: "disabled",
  status_detail: "https://hooks.example took nothing for five days, so sending has stopped.",
  last_delivery: { id: uuid, type: "job.succeeded", status: "dead", created_at: time },
  created_at: time,
  paused_at: null,
};
const decided = {
  id: uuid,
  node_id: "my-node",
  version: "1.0.0",
  status: "NodeVersionStatusFlagged",
  status_reason: "The checks found: eval (a.py:3).",
  findings: [{ code: "eval", message: "Calls eval.", file: "a.py", line: 3 }],
  at: time,
  sequence: 1,
  type: "node_version.flagged",
};

export const webhookExamples: Record<string, Example> = {
  WebhookAttempt: { good: attempt, broken: { number: 0, status: undefined, manual: "no" } },
  WebhookDeliveryDetail: {
    good: {
      id: uuid,
      subject_id: uuid,
      sequence: 2,
      type: "job.succeeded",
      url: "https://hooks.example/a",
      endpoint_id: null,
      status: "pending",
      attempts: 1,
      next_attempt_at: time,
      last_status: 500,
      last_error: "The receiver answered 500.",
      last_duration_ms: 41,
      created_at: time,
      delivered_at: null,
      body: '{"sequence":2}',
      attempt_log: [attempt],
    },
    broken: { body: undefined, attempt_log: undefined, "attempt_log.0.number": 0 },
  },
  SendTestWebhook: { good: { url: "https://hooks.example/a" }, broken: { url: 7 } },
  WebhookTestNotification: {
    good: { type: "webhook.test", id: uuid, sequence: 1, created_at: time },
    broken: { type: "test", sequence: 2 },
  },
  WebhookSecretList: {
    good: { data: [{ id: uuid, created_at: time, signs_until: null }] },
    broken: { data: undefined, "data.0.signs_until": undefined },
  },
  ReleaseNote: { good: note, broken: { at: "today", kind: "song", change: "moved", sunset_at: undefined } },
  ProgramRelease: { good: release, broken: { version: 1, date: "soon", text: undefined } },
  ReleaseNoteList: {
    good: { server: [note], program: [release] },
    broken: { server: undefined, program: undefined, "server.0.subject": undefined },
  },
  WebhookTargets: {
    good: { may_open: true, configured: ["127.0.0.1:3000"], opened: ["[::1]:8765"] },
    broken: { may_open: undefined, "configured.0": "10.0.0.1:80", opened: undefined },
  },
  ReplaceWebhookTargets: {
    good: { targets: ["localhost:3000"] },
    broken: { targets: undefined, "targets.0": "example.com:443" },
  },
  RotateWebhookSecret: { good: { overlap_seconds: 3600 }, broken: { overlap_seconds: -1 } },
  WebhookEventType: { good: "job.succeeded", broken: { "": "job.done" } },
  NewWebhookEndpoint: {
    good: { url: "https://hooks.example/a", types: ["job.succeeded"], filter: { tag: "project=spring" } },
    broken: {
      url: 7,
      types: [],
      "types.0": "job.done",
      "filter.tag": "spring",
      "filter.colour": "blue",
      description: "x".repeat(201),
      secret: "whsec_mine",
    },
  },
  UpdateWebhookEndpoint: {
    good: { description: "Staging", filter: {} },
    broken: { types: [], url: "ftp://x", id: uuid },
  },
  WebhookEndpointFilter: {
    good: { tag: "project=spring", model: "sandbox/image-1", deployment: uuid },
    broken: { tag: "spring", model: "", deployment: "mine" },
  },
  WebhookEndpoint: { good: endpoint, broken: { status: "asleep", types: undefined, "last_delivery.id": "x" } },
  CreatedWebhookEndpoint: {
    good: { ...endpoint, secret: "whsec_c2VjcmV0" },
    broken: { secret: undefined, url: undefined },
  },
  WebhookEndpointList: { good: { data: [endpoint] }, broken: { data: undefined, "data.0.status": "asleep" } },
  NodeVersionNotification: { good: decided, broken: { type: "job.running", sequence: 0, status: undefined } },
  WebhookReceiver: { good: receiver, broken: { failures: 0, failing_since: undefined } },
  WebhookReceiverList: { good: { data: [receiver] }, broken: { data: undefined, "data.0.receiver": undefined } },
};
