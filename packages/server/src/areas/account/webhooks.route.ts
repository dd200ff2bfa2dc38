// The workspace's webhooks: the delivery log, redelivery, test events, and the signing secrets.
import {
  operations,
  ReplaceWebhookTargets,
  RotateWebhookSecret,
  SendTestWebhook,
  type WebhookTargets,
} from "@atelier/contract";
import { actingAs, requireScope } from "../../capabilities/identity/index.ts";
import {
  type DeliveryId,
  deliveryStatuses,
  type TargetList,
  type Webhooks,
} from "../../capabilities/webhooks/index.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import { type Incoming, jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import { pageBody, QueryReader, refuseCursor } from "../../foundation/http/page-query.ts";
import { parseId, requireId } from "../../foundation/ids.ts";
import { badField } from "../../foundation/json/bad-field.ts";
import { hasAtMost } from "../../foundation/json/characters.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import type { AccountCaller } from "./account-caller.ts";
import { presentDelivery, presentDeliveryDetail, presentReceiver, presentSecret } from "./present-webhooks.ts";

export interface WebhookRouteDeps {
  readonly webhooks: Webhooks;
  readonly cursors: Cursors;
}

export function listWebhookDeliveriesRoute({ webhooks, cursors }: WebhookRouteDeps): Route<AccountCaller> {
  return route(operations.listWebhookDeliveries, async ({ caller, query }) => {
    requireScope(caller.principal, "account");
    const { workspaceId } = caller.principal;
    const reader = new QueryReader(query);
    const status = reader.read(
      "status",
      (text) => deliveryStatuses.find((known) => known === text) ?? null,
      `one of ${deliveryStatuses.join(", ")}`,
    );
    const text = (name: string, most: number) =>
      reader.read(name, (given) => shortText(given, most), `1 to ${most} characters`);
    const [subjectId, type, receiver] = [text("subject_id", 255), text("type", 255), text("receiver", 2048)];
    const endpointId = reader.read("endpoint_id", parseId<"webhook-endpoint">, "the id of an endpoint");
    const [limit, cursor] = [reader.readLimit(), reader.readCursor()];
    reader.requireNoProblem();
    const purpose = `webhook deliveries ${JSON.stringify([workspaceId, ...[status, subjectId, type, receiver, endpointId].map((part) => part ?? null)])}`;
    const before = cursor === undefined ? null : parseId<"webhook-delivery">(cursors.read(purpose, cursor)?.[0] ?? "");
    if (cursor !== undefined && before === null) throw refuseCursor();
    const filter = { status, subjectId, type, receiver, endpointId };
    const { deliveries, next } = await webhooks.deliveries.list({ workspaceId, ...filter, before, limit });
    const nextCursor = next && cursors.issue(purpose, [next]);
    return jsonAnswer(200, pageBody(deliveries.map(presentDelivery), nextCursor, limit));
  });
}

export function getWebhookDeliveryRoute(deps: WebhookRouteDeps): Route<AccountCaller> {
  const { deliveries } = deps.webhooks;
  return route(operations.getWebhookDelivery, async (incoming) => {
    const { workspaceId, id } = requireDelivery(incoming);
    return jsonAnswer(200, presentDeliveryDetail(await deliveries.get(workspaceId, id)));
  });
}

export function redeliverWebhookRoute(deps: WebhookRouteDeps): Route<AccountCaller> {
  const { deliveries } = deps.webhooks;
  return route(operations.redeliverWebhook, async (incoming) => {
    const { workspaceId, id } = requireDelivery(incoming);
    return jsonAnswer(202, presentDelivery(await deliveries.redeliver(workspaceId, id)));
  });
}

export function sendTestWebhookRoute({ webhooks }: WebhookRouteDeps): Route<AccountCaller> {
  return route(operations.sendTestWebhook, async (incoming) => {
    const { principal } = incoming.caller;
    requireScope(principal, "account");
    const { url } = requireValid(SendTestWebhook, await incoming.json());
    const problem = webhooks.checkUrl(url);
    if (problem !== null) throw badField("url", problem);
    return jsonAnswer(202, presentDelivery(await webhooks.deliveries.sendTest(principal.workspaceId, url)));
  });
}

export function listWebhookReceiversRoute(deps: WebhookRouteDeps): Route<AccountCaller> {
  const { deliveries } = deps.webhooks;
  return route(operations.listWebhookReceivers, async ({ caller: { principal } }) => {
    requireScope(principal, "account");
    const failing = await deliveries.failingReceivers(principal.workspaceId);
    return jsonAnswer(200, { data: failing.map(presentReceiver) });
  });
}

export function getWebhookTargetsRoute({ webhooks }: WebhookRouteDeps): Route<AccountCaller> {
  return route(operations.getWebhookTargets, async ({ caller: { principal } }) => {
    requireScope(principal, "account");
    return jsonAnswer(200, presentTargets(await webhooks.targets.read()));
  });
}

export function replaceWebhookTargetsRoute({ webhooks }: WebhookRouteDeps): Route<AccountCaller> {
  return route(operations.replaceWebhookTargets, async (incoming) => {
    const { principal } = incoming.caller;
    requireScope(principal, "account");
    const { targets } = requireValid(ReplaceWebhookTargets, await incoming.json());
    const acting = { ...actingAs(principal, incoming.requestId), workspaceId: principal.workspaceId };
    return jsonAnswer(200, presentTargets(await webhooks.targets.replace(targets, acting)));
  });
}

function presentTargets({ mayOpen, configured, opened }: TargetList): WebhookTargets {
  return { may_open: mayOpen, configured: [...configured], opened: [...opened] };
}

export function listWebhookSecretsRoute(deps: WebhookRouteDeps): Route<AccountCaller> {
  return route(operations.listWebhookSecrets, async ({ caller: { principal } }) => {
    requireScope(principal, "account");
    const secrets = await deps.webhooks.secrets.list(principal.workspaceId);
    return jsonAnswer(200, { data: secrets.map(presentSecret) });
  });
}

export function rotateWebhookSecretRoute({ webhooks }: WebhookRouteDeps): Route<AccountCaller> {
  return route(operations.rotateWebhookSecret, async (incoming) => {
    const { principal } = incoming.caller;
    requireScope(principal, "account");
    const sent = (await incoming.bytes()).length === 0 ? {} : await incoming.json();
    const { overlap_seconds: overlapSeconds } = requireValid(RotateWebhookSecret, sent);
    const request = { workspaceId: principal.workspaceId, overlapSeconds };
    const { text, ...secret } = await webhooks.secrets.rotate(request, actingAs(principal, incoming.requestId));
    return jsonAnswer(201, { ...presentSecret(secret), secret: text }, { "cache-control": "no-store" });
  });
}

// PostgreSQL cannot store NUL, so nothing stored can match one.
function shortText(text: string, most: number): string | null {
  return text !== "" && hasAtMost(text, most) && !text.includes("\0") ? text : null;
}

// Ids of others, absent ones and invalid ones get the same answer.
function requireDelivery({ caller: { principal }, params }: Incoming<AccountCaller>) {
  requireScope(principal, "account");
  const id: DeliveryId = requireId(params["deliveryId"], "There is no such delivery.");
  return { workspaceId: principal.workspaceId, id };
}
