// Webhooks: what we send, in the Standard Webhooks framing, and the record of each delivery.
// The body is what the read of the same thing returns, plus `sequence`; receivers drop a lower sequence.
import { type Static, Type } from "typebox";
import { JobNotification } from "./jobs.ts";
import { pageOf } from "./pagination.ts";
import { PartnerATaskNotification } from "./partner-a.ts";
import { PartnerBPromptNotification } from "./partner-b.ts";
import { Timestamp, Uuid, wordOf } from "./wire-values.ts";

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

export const WebhookSecret = Type.Object(
  {
    id: Uuid,
    secret: Type.String({ pattern: "^whsec_", description: "Shown when it is made; keep it." }),
    created_at: Timestamp,
    signs_until: nullable("When it stops signing; null: it is the current one."),
  },
  { title: "WebhookSecret", description: "What a workspace's deliveries are signed with." },
);
export type WebhookSecret = Static<typeof WebhookSecret>;
