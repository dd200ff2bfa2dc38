// What a workspace sees and does about its webhooks: the delivery log, sending again, test events and the secrets that
// sign. Part of the account (decisions, sections 4 and 7).
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import type { Operation } from "../operation.ts";
import {
  RotateWebhookSecret,
  SendTestWebhook,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryPage,
  WebhookDeliveryQuery,
  WebhookReceiverList,
  WebhookSecret,
  WebhookSecretList,
} from "../webhooks.ts";
import { Uuid } from "../wire-values.ts";
import { answer, genericFault, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

const tag = tags.account;
const deliveryId = Type.Object({ deliveryId: Uuid });
const read = {
  401: genericFault[401],
  403: genericFault[403],
  429: genericFault[429],
  500: genericFault[500],
  503: genericFault[503],
};
const write = { 400: genericFault[400], ...read, 413: genericFault[413] };

export const webhookOperations = {
  listWebhookDeliveries: {
    id: "listWebhookDeliveries",
    method: "GET",
    path: "/account/webhooks/deliveries",
    tag,
    summary: "List what was sent to webhooks",
    description: "The newest first, for 30 days.",
    access: "key",
    query: WebhookDeliveryQuery,
    answers: { 200: answer(WebhookDeliveryPage, "One page."), 400: genericFault[400], ...read },
  },
  getWebhookDelivery: {
    id: "getWebhookDelivery",
    method: "GET",
    path: "/account/webhooks/deliveries/{deliveryId}",
    tag,
    summary: "See one delivery with its body and attempts",
    access: "key",
    params: deliveryId,
    answers: { 200: answer(WebhookDeliveryDetail, "The delivery."), ...read, 404: genericFault[404] },
  },
  redeliverWebhook: {
    id: "redeliverWebhook",
    method: "POST",
    path: "/account/webhooks/deliveries/{deliveryId}/redeliver",
    tag,
    summary: "Send a delivery again",
    description:
      "One attempt now, whatever its status: same webhook-id and body, new timestamp and signature. The schedule of one that is still pending goes on. 409 while it is being sent.",
    access: "key",
    params: deliveryId,
    answers: {
      202: answer(WebhookDelivery, "The delivery; look again to see how it went."),
      ...read,
      404: genericFault[404],
      409: genericFault[409],
    },
  },
  sendTestWebhook: {
    id: "sendTestWebhook",
    method: "POST",
    path: "/account/webhooks/test",
    tag,
    summary: "Send a test event",
    description: "One attempt, signed like every delivery; it stands in the log.",
    access: "key",
    body: jsonBody(SendTestWebhook),
    answers: { 202: answer(WebhookDelivery, "The delivery; look again to see how it went."), ...write },
  },
  listWebhookReceivers: {
    id: "listWebhookReceivers",
    method: "GET",
    path: "/account/webhooks/receivers",
    tag,
    summary: "List the receivers that fail",
    description:
      "After five failures in a row a receiver is tried once a minute; after five days without a success it is disabled until something is redelivered to it with success.",
    access: "key",
    answers: { 200: answer(WebhookReceiverList, "The receivers."), ...read },
  },
  listWebhookSecrets: {
    id: "listWebhookSecrets",
    method: "GET",
    path: "/account/webhooks/secrets",
    tag,
    summary: "List the webhook secrets",
    access: "key",
    answers: { 200: answer(WebhookSecretList, "The secrets, without their text."), ...read },
  },
  rotateWebhookSecret: {
    id: "rotateWebhookSecret",
    method: "POST",
    path: "/account/webhooks/secrets",
    tag,
    summary: "Make a new webhook secret",
    description:
      "For owners. The new secret signs at once and is in this answer only; the old one signs beside it for a while, so that receivers can change over.",
    access: "key",
    body: jsonBody(RotateWebhookSecret, false),
    answers: { 201: answer(WebhookSecret, "The new secret.", [headerName.cacheControl]), ...write },
  },
} as const satisfies Record<string, Operation>;
