// Endpoints of a workspace, which get its events by type.
import { Type } from "typebox";
import {
  CreatedWebhookEndpoint,
  NewWebhookEndpoint,
  UpdateWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointList,
} from "../../account/webhook-endpoints.ts";
import { headerName } from "../../headers.ts";
import { operationTable } from "../../operation.ts";
import { RotateWebhookSecret, WebhookDelivery, WebhookSecret } from "../../webhooks.ts";
import { Uuid } from "../../wire-values.ts";
import { answer, emptyAnswer, genericFaults, jsonBody, ofAccount } from "../answers.ts";

const params = Type.Object({ endpointId: Uuid });
export const webhookEndpointOperations = operationTable(ofAccount, {
  listWebhookEndpoints: {
    method: "GET",
    path: "/account/webhooks/endpoints",
    summary: "List webhook endpoints",
    description: "Addresses that get the workspace's events by type, oldest first.",
    answers: { 200: answer(WebhookEndpointList, "All of them.") },
  },
  createWebhookEndpoint: {
    method: "POST",
    path: "/account/webhooks/endpoints",
    role: "owner",
    summary: "Add a webhook endpoint",
    description:
      "Owners only. The endpoint gets every event of its types that matches its filter, from now on, each as one delivery, signed with the endpoint's own secret. At most 20 per workspace. Returns 409 if the address has an endpoint already.",
    body: jsonBody(NewWebhookEndpoint),
    answers: {
      201: answer(CreatedWebhookEndpoint, "The endpoint with its secret.", [headerName.cacheControl]),
      ...genericFaults(409),
    },
  },
  getWebhookEndpoint: {
    method: "GET",
    path: "/account/webhooks/endpoints/{endpointId}",
    summary: "Get a webhook endpoint",
    params,
    answers: { 200: answer(WebhookEndpoint, "The endpoint.") },
  },
  updateWebhookEndpoint: {
    method: "PATCH",
    path: "/account/webhooks/endpoints/{endpointId}",
    role: "owner",
    summary: "Change a webhook endpoint",
    description:
      "Owners only. A new address also gets the deliveries that still wait. The secret stays; rotate it if the receiver has a new owner.",
    params,
    body: jsonBody(UpdateWebhookEndpoint),
    answers: { 200: answer(WebhookEndpoint, "The changed endpoint."), ...genericFaults(409) },
  },
  deleteWebhookEndpoint: {
    method: "DELETE",
    path: "/account/webhooks/endpoints/{endpointId}",
    role: "owner",
    summary: "Delete a webhook endpoint",
    description: "Owners only. Deliveries that wait become dead. The log keeps what was sent.",
    params,
    answers: { 204: emptyAnswer("It is gone.") },
  },
  testWebhookEndpoint: {
    method: "POST",
    path: "/account/webhooks/endpoints/{endpointId}/test",
    summary: "Send a test event to an endpoint",
    description:
      "Makes one attempt, signed with the endpoint's secret, even if it is paused. It shows up in the delivery log.",
    params,
    answers: { 202: answer(WebhookDelivery, "The delivery. Read it again to see the result.") },
  },
  rotateWebhookEndpointSecret: {
    method: "POST",
    path: "/account/webhooks/endpoints/{endpointId}/secrets",
    role: "owner",
    freshSignIn: "always",
    summary: "Create a new secret for an endpoint",
    description:
      "Owners only. The new secret signs immediately and is only shown in this response. The old one keeps signing alongside it for a while so that the receiver can switch.",
    params,
    body: jsonBody(RotateWebhookSecret, false),
    answers: { 201: answer(WebhookSecret, "The new secret.", [headerName.cacheControl]) },
  },
  pauseWebhookEndpoint: {
    method: "POST",
    path: "/account/webhooks/endpoints/{endpointId}/pause",
    role: "owner",
    summary: "Pause a webhook endpoint",
    description:
      "Owners only. Nothing is sent to it until it is resumed; waiting and new deliveries become dead and can be redelivered.",
    params,
    answers: { 200: answer(WebhookEndpoint, "The paused endpoint.") },
  },
  resumeWebhookEndpoint: {
    method: "POST",
    path: "/account/webhooks/endpoints/{endpointId}/resume",
    role: "owner",
    summary: "Resume a webhook endpoint",
    description:
      "Owners only. Ends a pause, and lets a receiver that was failing or disabled start afresh. Events from then on are sent; redeliver the dead deliveries you need.",
    params,
    answers: { 200: answer(WebhookEndpoint, "The resumed endpoint.") },
  },
});
