// Deliveries, receivers and secrets in their wire format.
import type {
  WebhookDeliveryDetail,
  WebhookReceiver,
  WebhookDelivery as WireDelivery,
  WebhookEndpoint as WireEndpoint,
  WebhookSecret as WireSecret,
} from "@atelier/contract";
import {
  type Delivery,
  type DeliveryDetail,
  type Endpoint,
  type FailingReceiver,
  statusDetailOf,
  statusOf,
  type WebhookSecret,
} from "../../capabilities/webhooks/index.ts";

const moment = (at: Date | null) => at?.toISOString() ?? null;

export function presentDelivery(delivery: Delivery): WireDelivery {
  return {
    id: delivery.id,
    subject_id: delivery.subjectId,
    sequence: delivery.sequence,
    type: delivery.type,
    url: delivery.url,
    endpoint_id: delivery.endpointId,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: moment(delivery.nextAttemptAt),
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    last_duration_ms: delivery.lastDurationMs,
    created_at: delivery.createdAt.toISOString(),
    delivered_at: moment(delivery.deliveredAt),
  };
}

export function presentDeliveryDetail(delivery: DeliveryDetail): WebhookDeliveryDetail {
  return {
    ...presentDelivery(delivery),
    body: delivery.body.toString("utf8"),
    attempt_log: delivery.log.map((attempt) => ({
      number: attempt.number,
      manual: attempt.isManual,
      at: attempt.at.toISOString(),
      duration_ms: attempt.durationMs,
      status: attempt.status,
      error: attempt.error,
    })),
  };
}

export function presentReceiver(receiver: FailingReceiver): WebhookReceiver {
  return {
    receiver: receiver.receiver,
    failures: receiver.failures,
    failing_since: receiver.failingSince.toISOString(),
    resting_until: moment(receiver.restingUntil),
    disabled_at: moment(receiver.disabledAt),
  };
}

export function presentEndpoint(endpoint: Endpoint): WireEndpoint {
  const { filter, lastDelivery: last } = endpoint;
  const [pair] = Object.entries(filter.tag ?? {});
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    types: [...endpoint.types],
    filter: {
      ...(pair === undefined ? {} : { tag: pair.join("=") }),
      ...(filter.model === null ? {} : { model: filter.model }),
      ...(filter.deployment === null ? {} : { deployment: filter.deployment }),
    },
    status: statusOf(endpoint),
    status_detail: statusDetailOf(endpoint),
    last_delivery: last && {
      id: last.id,
      type: last.type,
      status: last.status,
      created_at: last.createdAt.toISOString(),
    },
    created_at: endpoint.createdAt.toISOString(),
    paused_at: moment(endpoint.pausedAt),
  };
}

export function presentSecret(secret: WebhookSecret): Omit<WireSecret, "secret"> {
  return { id: secret.id, created_at: secret.createdAt.toISOString(), signs_until: moment(secret.signsUntil) };
}
