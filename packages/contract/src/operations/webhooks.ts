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
import { answer, genericFaults, jsonBody, ofAccount } from "./answers.ts";

const deliveryId = Type.Object({ deliveryId: Uuid });

export const webhookOperations = operationTable(ofAccount, {
  listWebhookDeliveries: {
    method: "GET",
    path: "/account/webhooks/deliveries",
    summary: "List webhook deliveries",
    description: "Newest first. Deliveries are kept for 30 days.",
    query: WebhookDeliveryQuery,
    answers: { 200: answer(WebhookDeliveryPage, "One page.") },
  },
  getWebhookDelivery: {
    method: "GET",
    path: "/account/webhooks/deliveries/{deliveryId}",
    summary: "Get one delivery with its body and attempts",
    params: deliveryId,
    answers: { 200: answer(WebhookDeliveryDetail, "The delivery.") },
  },
  redeliverWebhook: {
    method: "POST",
    path: "/account/webhooks/deliveries/{deliveryId}/redeliver",
    summary: "Send a delivery again",
    description:
      "Makes one attempt now, whatever the delivery's status: same webhook-id and body, new timestamp and signature. A pending delivery keeps its schedule. Returns 409 while it is being sent.",
    params: deliveryId,
    answers: { 202: answer(WebhookDelivery, "The delivery. Read it again to see the result."), ...genericFaults(409) },
  },
  sendTestWebhook: {
    method: "POST",
    path: "/account/webhooks/test",
    summary: "Send a test event",
    description: "Makes one attempt, signed like every delivery. It shows up in the delivery log.",
    body: jsonBody(SendTestWebhook),
    answers: { 202: answer(WebhookDelivery, "The delivery. Read it again to see the result.") },
  },
  listWebhookReceivers: {
    method: "GET",
    path: "/account/webhooks/receivers",
    summary: "List failing receivers",
    description:
      "After five consecutive failures a receiver is tried once a minute. After five days without a success it is disabled until a redelivery succeeds.",
    answers: { 200: answer(WebhookReceiverList, "The receivers.") },
  },
  getWebhookTargets: {
    method: "GET",
    path: "/account/webhooks/targets",
    summary: "List the loopback receivers that webhooks may reach",
    answers: { 200: answer(WebhookTargets, "The targets.") },
  },
  replaceWebhookTargets: {
    method: "PUT",
    path: "/account/webhooks/targets",
    role: "owner",
    summary: "Allow loopback receivers for development",
    description:
      "Owners only, and only on a development server: one that listens on loopback and has no public address. Other servers return 403. Takes effect immediately and survives a restart. The server's own ports stay closed.",
    body: jsonBody(ReplaceWebhookTargets),
    answers: { 200: answer(WebhookTargets, "The updated targets.") },
  },
  listWebhookSecrets: {
    method: "GET",
    path: "/account/webhooks/secrets",
    summary: "List the webhook secrets",
    answers: { 200: answer(WebhookSecretList, "The secrets. Their values are not included.") },
  },
  rotateWebhookSecret: {
    method: "POST",
    path: "/account/webhooks/secrets",
    role: "owner",
    freshSignIn: "always",
    summary: "Create a new webhook secret",
    description:
      "Owners only. The new secret signs immediately and is only shown in this response. The old one keeps signing alongside it for a while so that receivers can switch.",
    body: jsonBody(RotateWebhookSecret, false),
    answers: { 201: answer(WebhookSecret, "The new secret.", [headerName.cacheControl]) },
  },
});
