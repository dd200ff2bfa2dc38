// Webhooks: what we send, in the Standard Webhooks framing, and the record of each delivery. The body is what reading the same
// resource returns, plus `sequence` and `type`; receivers drop a lower sequence.
import { type Static, Type } from "typebox";
import { JobNotification } from "./jobs.ts";
import { ModelRequestNotification } from "./model-requests.ts";
import { Cursor, pageOf } from "./pagination.ts";
import { PartnerATaskNotification } from "./partners/partner-a.ts";
import { PartnerBPromptNotification } from "./partners/partner-b.ts";
import { entity, nullable, Timestamp, Uuid, uuidPattern, webhookUrl, wordOf } from "./wire-values.ts";

export const webhookSecretPrefix = "whsec_";

export const WebhookHeaders = entity("WebhookHeaders", "The headers that every delivery carries.", {
  "webhook-id": Type.String({
    minLength: 1,
    pattern: "^[^.]+$",
    description: "The delivery, equal on every attempt.",
  }),
  "webhook-timestamp": Type.String({
    pattern: "^[0-9]+$",
    description: "When this attempt was made, in Unix seconds.",
  }),
  "webhook-signature": Type.String({
    pattern: "^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$",
    description: "HMAC-SHA256 over id.timestamp.body, one for each live secret.",
  }),
});

export const WebhookBody = Type.Union(
  [PartnerATaskNotification, PartnerBPromptNotification, JobNotification, ModelRequestNotification],
  {
    title: "WebhookBody",
    description:
      "What a receiver gets: the thing that changed, as its read returns it, with a sequence and what happened to it.",
  },
);

// pending → sending → delivered. A failed attempt goes back to pending until the last one, then dead; 410 ends it as gone.
export const WebhookDeliveryStatus = wordOf(["pending", "sending", "delivered", "dead", "gone"], {
  title: "WebhookDeliveryStatus",
  description: "The state of the delivery.",
});

export const WebhookDelivery = entity("WebhookDelivery", "The record of one delivery.", {
  id: Uuid,
  subject_id: Type.String({ description: "The task, prompt or job it is about." }),
  sequence: Type.Integer({ minimum: 1, description: "The sequence number of the change." }),
  type: Type.String({
    description: "What happened, such as job.succeeded, partner_task.completed or webhook.test. Also in the body.",
  }),
  url: Type.String({ format: "uri", description: "Where it goes." }),
  endpoint_id: nullable(Uuid, "The endpoint that it is for; null if its address was given with the thing itself."),
  status: WebhookDeliveryStatus,
  attempts: Type.Integer({ minimum: 0, description: "The number of attempts." }),
  next_attempt_at: nullable(Timestamp, "When the next attempt is due."),
  last_status: nullable(Type.Integer(), "The receiver's latest HTTP status."),
  last_error: nullable(Type.String(), "Why the last attempt failed."),
  last_duration_ms: nullable(Type.Integer({ minimum: 0 }), "How long the last attempt took."),
  created_at: Timestamp,
  delivered_at: nullable(Timestamp, "When the receiver accepted it."),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveryPage = pageOf(
  WebhookDelivery,
  "WebhookDeliveryPage",
  "One page of deliveries, newest first.",
);

export const WebhookDeliveryQuery = Type.Object({
  status: Type.Optional(WebhookDeliveryStatus),
  subject_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: "Only deliveries about this task, prompt or job." }),
  ),
  type: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: "Only this exact kind." })),
  receiver: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: "Only deliveries to this receiver: scheme, host and port.",
    }),
  ),
  endpoint_id: Type.Optional(
    Type.String({ pattern: uuidPattern, description: "Only deliveries for this endpoint, deleted or not." }),
  ),
  limit: Type.Optional(
    Type.Integer({
      description:
        "Deliveries per page: 20 by default, at most 100. Larger values are clamped; 0 or less means the default.",
    }),
  ),
  cursor: Type.Optional(Cursor),
});

export const WebhookAttempt = entity("WebhookAttempt", "One delivery attempt.", {
  number: Type.Integer({ minimum: 1 }),
  manual: Type.Boolean({ description: "Triggered by a person, outside the schedule." }),
  at: Timestamp,
  duration_ms: Type.Integer({ minimum: 0 }),
  status: nullable(Type.Integer(), "The receiver's HTTP status; null if it did not respond."),
  error: nullable(Type.String(), "Why the attempt failed."),
});

export const WebhookDeliveryDetail = entity("WebhookDeliveryDetail", "One delivery with its body and its attempts.", {
  ...WebhookDelivery.properties,
  body: Type.String({ description: "The body of every attempt, as text." }),
  attempt_log: Type.Array(WebhookAttempt, { description: "Every attempt, oldest first." }),
});
export type WebhookDeliveryDetail = Static<typeof WebhookDeliveryDetail>;

export const SendTestWebhook = entity("SendTestWebhook", "Where a test event goes.", {
  url: webhookUrl("An https URL of a public host, on port 443."),
});

export const WebhookTestNotification = entity("WebhookTestNotification", "What a test event's receiver gets.", {
  type: Type.Literal("webhook.test"),
  id: Uuid,
  sequence: Type.Literal(1),
  created_at: Timestamp,
});

const secretFields = {
  id: Uuid,
  created_at: Timestamp,
  signs_until: nullable(Timestamp, "When it stops signing; null if it is the current one."),
};

export const WebhookSecret = entity("WebhookSecret", "The secret that signs a workspace's deliveries.", {
  ...secretFields,
  secret: Type.String({ pattern: "^whsec_", description: "Only shown on creation. Store it." }),
});
export type WebhookSecret = Static<typeof WebhookSecret>;

export const WebhookSecretList = entity(
  "WebhookSecretList",
  "The workspace's webhook secrets, newest first. Their values are not included.",
  { data: Type.Array(Type.Object(secretFields)) },
);

export const webhookOverlapSecondsMax = 7 * 24 * 3600;

export const RotateWebhookSecret = entity("RotateWebhookSecret", "How to rotate the secret.", {
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: webhookOverlapSecondsMax,
      description: "How long the old secret keeps signing alongside the new one. 24 hours by default; 0 ends it now.",
    }),
  ),
});

export const WebhookReceiver = entity("WebhookReceiver", "A receiver whose last delivery failed.", {
  receiver: Type.String({ description: "Scheme, host and port." }),
  failures: Type.Integer({ minimum: 1, description: "Consecutive failures." }),
  failing_since: Timestamp,
  resting_until: nullable(Timestamp, "After five failures: when the next attempt is allowed."),
  disabled_at: nullable(Timestamp, "After five days without a success: when deliveries stopped."),
});
export type WebhookReceiver = Static<typeof WebhookReceiver>;

const webhookTarget = Type.String({
  pattern: "^(127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|localhost|\\[::1\\]):[0-9]{1,5}$",
  description: "A loopback host and port, such as 127.0.0.1:3000.",
});
export const webhookTargetsMax = 50;

export const WebhookTargets = entity(
  "WebhookTargets",
  "Receivers on this machine that webhooks may reach. Only development servers have any.",
  {
    may_open: Type.Boolean({ description: "Whether this is a development server, where targets can be allowed." }),
    configured: Type.Array(webhookTarget, { description: "Set by ATELIER_WEBHOOK_TARGETS at startup." }),
    opened: Type.Array(webhookTarget, { description: "Allowed at run time." }),
  },
);
export type WebhookTargets = Static<typeof WebhookTargets>;

export const ReplaceWebhookTargets = entity("ReplaceWebhookTargets", "The receivers on this machine to allow.", {
  targets: Type.Array(webhookTarget, {
    maxItems: webhookTargetsMax,
    description: "The complete list. An empty list closes all.",
  }),
});

export const WebhookReceiverList = entity(
  "WebhookReceiverList",
  "Receivers whose last delivery failed, longest-failing first. Empty if all is well.",
  { data: Type.Array(WebhookReceiver) },
);
