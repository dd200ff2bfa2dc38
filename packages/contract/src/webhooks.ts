// Webhooks: what we send, in the Standard Webhooks framing, and the record of each delivery.
// The body is what the read of the same thing returns, plus `sequence`; receivers drop a lower sequence.
import { type Static, Type } from "typebox";
import { JobNotification } from "./jobs.ts";
import { Cursor, pageOf } from "./pagination.ts";
import { PartnerATaskNotification } from "./partner-a.ts";
import { PartnerBPromptNotification } from "./partner-b.ts";
import { Timestamp, Uuid, webhookUrl, wordOf } from "./wire-values.ts";

export const webhookSecretPrefix = "whsec_";

export const WebhookHeaders = Type.Object(
  {
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
  },
  { title: "WebhookHeaders", description: "The headers that every delivery carries." },
);
export type WebhookHeaders = Static<typeof WebhookHeaders>;

export const WebhookBody = Type.Union([PartnerATaskNotification, PartnerBPromptNotification, JobNotification], {
  title: "WebhookBody",
  description: "What a receiver gets: the thing that changed, as its read returns it, and a sequence.",
});
export type WebhookBody = Static<typeof WebhookBody>;

// pending → sending → delivered; a failed attempt goes back to pending until the last, then dead; 410 ends it as gone.
export const WebhookDeliveryStatus = wordOf(["pending", "sending", "delivered", "dead", "gone"], {
  title: "WebhookDeliveryStatus",
  description: "How far the delivery is.",
});
export type WebhookDeliveryStatus = Static<typeof WebhookDeliveryStatus>;

const nullable = (description: string) => Type.Union([Timestamp, Type.Null()], { description });

export const WebhookDelivery = Type.Object(
  {
    id: Uuid,
    subject_id: Type.String({ description: "The task, prompt or job it tells about." }),
    sequence: Type.Integer({ minimum: 1, description: "Which change of it." }),
    type: Type.String({ description: "What happened, for people: job.succeeded, webhook.test." }),
    url: Type.String({ format: "uri", description: "Where it goes." }),
    status: WebhookDeliveryStatus,
    attempts: Type.Integer({ minimum: 0, description: "How often it was tried." }),
    next_attempt_at: nullable("When it is tried again."),
    last_status: Type.Union([Type.Integer(), Type.Null()], { description: "What the receiver answered last." }),
    last_error: Type.Union([Type.String(), Type.Null()], { description: "Why the last attempt failed." }),
    created_at: Timestamp,
    delivered_at: nullable("When the receiver took it."),
  },
  { title: "WebhookDelivery", description: "The record of one delivery." },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveryPage = pageOf(
  WebhookDelivery,
  "WebhookDeliveryPage",
  "One page of deliveries, newest first.",
);
export type WebhookDeliveryPage = Static<typeof WebhookDeliveryPage>;

export const WebhookDeliveryQuery = Type.Object({
  status: Type.Optional(WebhookDeliveryStatus),
  subject_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: "Only what tells about this task, prompt or job." }),
  ),
  limit: Type.Optional(
    Type.Integer({
      description: "Deliveries on a page, 20 if absent; above 100 it is clamped, 0 or less means the default.",
    }),
  ),
  cursor: Type.Optional(Cursor),
});

export const WebhookAttempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    manual: Type.Boolean({ description: "Asked for by a person; outside the schedule." }),
    at: Timestamp,
    duration_ms: Type.Integer({ minimum: 0 }),
    status: Type.Union([Type.Integer(), Type.Null()], { description: "What the receiver answered; null: nothing." }),
    error: Type.Union([Type.String(), Type.Null()], { description: "Why it does not count as taken." }),
  },
  { title: "WebhookAttempt", description: "One attempt of a delivery." },
);
export type WebhookAttempt = Static<typeof WebhookAttempt>;

export const WebhookDeliveryDetail = Type.Object(
  {
    ...WebhookDelivery.properties,
    body: Type.String({ description: "The body that every attempt sends, as text." }),
    attempt_log: Type.Array(WebhookAttempt, { description: "Every attempt, the first one first." }),
  },
  { title: "WebhookDeliveryDetail", description: "One delivery with its body and its attempts." },
);
export type WebhookDeliveryDetail = Static<typeof WebhookDeliveryDetail>;

export const SendTestWebhook = Type.Object(
  { url: webhookUrl("An https URL of a public host, on the port of https.") },
  { title: "SendTestWebhook", description: "Where a test event goes." },
);
export type SendTestWebhook = Static<typeof SendTestWebhook>;

export const WebhookTestNotification = Type.Object(
  { type: Type.Literal("webhook.test"), id: Uuid, sequence: Type.Literal(1), created_at: Timestamp },
  { title: "WebhookTestNotification", description: "What a test event's receiver gets." },
);
export type WebhookTestNotification = Static<typeof WebhookTestNotification>;

const secretFields = {
  id: Uuid,
  created_at: Timestamp,
  signs_until: nullable("When it stops signing; null: it is the current one."),
};

export const WebhookSecret = Type.Object(
  { ...secretFields, secret: Type.String({ pattern: "^whsec_", description: "Shown when it is made; keep it." }) },
  { title: "WebhookSecret", description: "What a workspace's deliveries are signed with." },
);
export type WebhookSecret = Static<typeof WebhookSecret>;

export const WebhookSecretList = Type.Object(
  { data: Type.Array(Type.Object(secretFields)) },
  { title: "WebhookSecretList", description: "The workspace's webhook secrets without their text, newest first." },
);

export const webhookOverlapSecondsMax = 7 * 24 * 3600;

export const RotateWebhookSecret = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: webhookOverlapSecondsMax,
        description: "How long the old secret goes on signing beside the new one; 24 hours if absent, 0 ends it now.",
      }),
    ),
  },
  { title: "RotateWebhookSecret", description: "How to replace the secret." },
);
export type RotateWebhookSecret = Static<typeof RotateWebhookSecret>;

export const WebhookReceiver = Type.Object(
  {
    receiver: Type.String({ description: "Scheme, host and port." }),
    failures: Type.Integer({ minimum: 1, description: "How often it failed in a row." }),
    failing_since: Timestamp,
    resting_until: nullable("After five failures: when the next attempt may be made."),
    disabled_at: nullable("After five days without a success: since when nothing is sent to it."),
  },
  { title: "WebhookReceiver", description: "A receiver that failed last time." },
);
export type WebhookReceiver = Static<typeof WebhookReceiver>;

export const WebhookReceiverList = Type.Object(
  { data: Type.Array(WebhookReceiver) },
  {
    title: "WebhookReceiverList",
    description: "Receivers that failed last time, the longest first; none: all is well.",
  },
);
