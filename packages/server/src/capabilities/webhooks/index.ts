// Webhooks, to the address that a job, a task or a budget names, and to endpoints of the workspace: call `enqueue(tx, notices)` in
// the transaction of the change, `wake` with its answer after the commit, and `checkUrl(url)` when a webhook_url arrives. See
// notice.ts for an example.

export { type Delivery, type DeliveryId, deliveryStatuses, type EndpointId, type FailingReceiver } from "./delivery.ts";
export type { DeliveryDetail } from "./delivery-log.ts";
export { createDevelopmentTargets, type TargetList } from "./development-targets.ts";
export {
  type Endpoint,
  type EndpointFilter,
  type EndpointRule,
  statusDetailOf,
  statusOf,
  unfilteredTypes,
} from "./endpoints/endpoint.ts";
export { keepWebhookSecret } from "./keep-webhook-secret.ts";
export { type Addressed, type Notice, noticeBytesMax } from "./notice.ts";
export { signDelivery } from "./sign-delivery.ts";
export { webhookMeter } from "./webhook-metrics.ts";
export type { WebhookSecret } from "./webhook-secrets.ts";
export { createWebhooks, type Webhooks } from "./webhooks.ts";
