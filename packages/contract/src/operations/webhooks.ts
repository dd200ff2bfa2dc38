// A workspace's webhooks: the delivery log, sending again, test events and the signing secrets. Part of the account (decisions,
// sections 4 and 7).
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import { operationTable } from "../operation.ts";
import {
  ReplaceWebhookTargets,
  RotateWebhookSecret,
  SendTestWebhook,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryPage,
  WebhookDeliveryQuery,
  WebhookReceiverList,
  WebhookSecret,
  WebhookSecretList,
  WebhookTargets,
} from "../webhooks.ts";
import { Uuid } from "../wire-values.ts";
import { answer, genericFaults, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

const deliveryId = Type.Object({ deliveryId: Uuid });
const read = genericFaults(401, 403, 429, 500, 503);
const write = { ...genericFaults(400, 413), ...read };

const common = { tag: tags.account, access: "key" } as const;

export const webhookOperations = operationTable(common, {
  listWebhookDeliveries: {
    method: "GET",
    path: "/account/webhooks/deliveries",
    summary: "List what was sent to webhooks",
    description: "The newest first, for 30 days.",
    query: WebhookDeliveryQuery,
    answers: { 200: answer(WebhookDeliveryPage, "One page."), ...genericFaults(400), ...read },
  },
  getWebhookDelivery: {
    method: "GET",
    path: "/account/webhooks/deliveries/{deliveryId}",
    summary: "See one delivery with its body and attempts",
    params: deliveryId,
    answers: { 200: answer(WebhookDeliveryDetail, "The delivery."), ...read, ...genericFaults(404) },
  },
  redeliverWebhook: {
    method: "POST",
    path: "/account/webhooks/deliveries/{deliveryId}/redeliver",
    summary: "Send a delivery again",
    description:
      "One attempt now, whatever its status: same webhook-id and body, new timestamp and signature. The schedule of one that is still pending goes on. 409 while it is being sent.",
    params: deliveryId,
    answers: {
      202: answer(WebhookDelivery, "The delivery; look again to see how it went."),
      ...read,
      ...genericFaults(404, 409),
    },
  },
  sendTestWebhook: {
    method: "POST",
    path: "/account/webhooks/test",
    summary: "Send a test event",
    description: "One attempt, signed like every delivery; it stands in the log.",
    body: jsonBody(SendTestWebhook),
    answers: { 202: answer(WebhookDelivery, "The delivery; look again to see how it went."), ...write },
  },
  listWebhookReceivers: {
    method: "GET",
    path: "/account/webhooks/receivers",
    summary: "List the receivers that fail",
    description:
      "After five failures in a row a receiver is tried once a minute; after five days without a success it is disabled until something is redelivered to it with success.",
    answers: { 200: answer(WebhookReceiverList, "The receivers."), ...read },
  },
  getWebhookTargets: {
    method: "GET",
    path: "/account/webhooks/targets",
    summary: "List the loopback receivers that webhooks may reach",
    answers: { 200: answer(WebhookTargets, "The targets."), ...read },
  },
  replaceWebhookTargets: {
    method: "PUT",
    path: "/account/webhooks/targets",
    summary: "Open loopback receivers for development",
    description:
      "For owners, on a server for development: one that listens on loopback and has no public address; elsewhere 403. Takes effect at once and survives a restart. The server's own ports stay closed.",
    body: jsonBody(ReplaceWebhookTargets),
    answers: { 200: answer(WebhookTargets, "The targets as they are now."), ...write },
  },
  listWebhookSecrets: {
    method: "GET",
    path: "/account/webhooks/secrets",
    summary: "List the webhook secrets",
    answers: { 200: answer(WebhookSecretList, "The secrets, without their text."), ...read },
  },
  rotateWebhookSecret: {
    method: "POST",
    path: "/account/webhooks/secrets",
    summary: "Make a new webhook secret",
    description:
      "For owners. The new secret signs at once and is in this answer only; the old one signs beside it for a while, so that receivers can change over.",
    body: jsonBody(RotateWebhookSecret, false),
    answers: { 201: answer(WebhookSecret, "The new secret.", [headerName.cacheControl]), ...write },
  },
});
