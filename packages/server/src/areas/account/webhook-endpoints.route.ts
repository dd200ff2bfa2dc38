// Endpoints of the caller's workspace. Members read and test them; owners change them, because a new address receives everything
// that the workspace does.
import {
  NewWebhookEndpoint,
  operations,
  RotateWebhookSecret,
  UpdateWebhookEndpoint,
  type WebhookEndpointFilter,
} from "@atelier/contract";
import { actingAs, requireScope } from "../../capabilities/identity/index.ts";
import {
  type EndpointFilter,
  type EndpointId,
  type EndpointRule,
  unfilteredTypes,
  type Webhooks,
} from "../../capabilities/webhooks/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Incoming, jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import { requireId } from "../../foundation/ids.ts";
import { checkPairs, problemOf } from "../../foundation/json/labels.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import type { AccountCaller } from "./account-caller.ts";
import { presentDelivery, presentEndpoint, presentSecret } from "./present-webhooks.ts";

export interface WebhookEndpointRouteDeps {
  readonly webhooks: Pick<Webhooks, "checkUrl" | "deliveries" | "endpoints">;
}

const noStore = { "cache-control": "no-store" };

export function listWebhookEndpointsRoute({ webhooks }: WebhookEndpointRouteDeps): Route<AccountCaller> {
  return route(operations.listWebhookEndpoints, async ({ caller: { principal } }) => {
    requireScope(principal, "account");
    const endpoints = await webhooks.endpoints.list(principal.workspaceId);
    return jsonAnswer(200, { data: endpoints.map(presentEndpoint) });
  });
}

export function createWebhookEndpointRoute({ webhooks }: WebhookEndpointRouteDeps): Route<AccountCaller> {
  return route(operations.createWebhookEndpoint, async (incoming) => {
    const { principal } = incoming.caller;
    requireScope(principal, "account");
    const { url, types, filter = {}, description = "" } = requireValid(NewWebhookEndpoint, await incoming.json());
    const rule = checked(webhooks, { url, types, filter: readFilter(filter), description });
    const acting = actingAs(principal, incoming.requestId);
    const { endpoint, text } = await webhooks.endpoints.create(principal.workspaceId, rule, acting);
    return jsonAnswer(201, { ...presentEndpoint(endpoint), secret: text }, noStore);
  });
}

export function getWebhookEndpointRoute({ webhooks }: WebhookEndpointRouteDeps): Route<AccountCaller> {
  return route(operations.getWebhookEndpoint, async (incoming) =>
    jsonAnswer(200, presentEndpoint(await webhooks.endpoints.get(namedIn(incoming)))),
  );
}

export function updateWebhookEndpointRoute({ webhooks }: WebhookEndpointRouteDeps): Route<AccountCaller> {
  return route(operations.updateWebhookEndpoint, async (incoming) => {
    const { named, acting } = actingIn(incoming);
    const change = requireValid(UpdateWebhookEndpoint, await incoming.json());
    const filter = change.filter && readFilter(change.filter);
    const decide = (before: EndpointRule) =>
      checked(
        webhooks,
        {
          url: change.url ?? before.url,
          types: change.types ?? before.types,
          filter: filter ?? before.filter,
          description: change.description ?? before.description,
        },
        change.url !== undefined,
      );
    return jsonAnswer(200, presentEndpoint(await webhooks.endpoints.change(named, decide, acting)));
  });
}

export function deleteWebhookEndpointRoute({ webhooks }: WebhookEndpointRouteDeps): Route<AccountCaller> {
  return route(operations.deleteWebhookEndpoint, async (incoming) => {
    const { named, acting } = actingIn(incoming);
    await webhooks.endpoints.remove(named, acting);
    return { status: 204 };
  });
}

export function testWebhookEndpointRoute({ webhooks }: WebhookEndpointRouteDeps): Route<AccountCaller> {
  return route(operations.testWebhookEndpoint, async (incoming) => {
    const { workspaceId, id, url } = await webhooks.endpoints.get(namedIn(incoming));
    return jsonAnswer(202, presentDelivery(await webhooks.deliveries.sendTest(workspaceId, url, id)));
  });
}

export function rotateWebhookEndpointSecretRoute({ webhooks }: WebhookEndpointRouteDeps): Route<AccountCaller> {
  return route(operations.rotateWebhookEndpointSecret, async (incoming) => {
    const { named, acting } = actingIn(incoming);
    const sent = (await incoming.bytes()).length === 0 ? {} : await incoming.json();
    const { overlap_seconds: overlapSeconds } = requireValid(RotateWebhookSecret, sent);
    const { text, ...secret } = await webhooks.endpoints.rotate({ ...named, overlapSeconds }, acting);
    return jsonAnswer(201, { ...presentSecret(secret), secret: text }, noStore);
  });
}

export function pauseWebhookEndpointRoute({ webhooks }: WebhookEndpointRouteDeps): Route<AccountCaller> {
  return route(operations.pauseWebhookEndpoint, async (incoming) => {
    const { named, acting } = actingIn(incoming);
    return jsonAnswer(200, presentEndpoint(await webhooks.endpoints.pause(named, acting)));
  });
}

export function resumeWebhookEndpointRoute({ webhooks }: WebhookEndpointRouteDeps): Route<AccountCaller> {
  return route(operations.resumeWebhookEndpoint, async (incoming) => {
    const { named, acting } = actingIn(incoming);
    return jsonAnswer(200, presentEndpoint(await webhooks.endpoints.resume(named, acting)));
  });
}

// Ids of others, absent ones and invalid ones get the same answer.
function namedIn({ caller: { principal }, params }: Incoming<AccountCaller>) {
  requireScope(principal, "account");
  const id: EndpointId = requireId(params["endpointId"], "There is no such webhook endpoint.");
  return { workspaceId: principal.workspaceId, id };
}

function actingIn(incoming: Incoming<AccountCaller>) {
  return { named: namedIn(incoming), acting: actingAs(incoming.caller.principal, incoming.requestId) };
}

function readFilter({ tag, model, deployment }: WebhookEndpointFilter): EndpointFilter {
  return { tag: tag === undefined ? null : readTag(tag), model: model ?? null, deployment: deployment ?? null };
}

function readTag(text: string): EndpointFilter["tag"] {
  const at = text.indexOf("=");
  const [key, value] = [text.slice(0, at), text.slice(at + 1)];
  const problem = checkPairs([[key, value]]);
  if (problem !== null) throw wrong("/filter/tag", problem);
  return Object.fromEntries([[key, value]]);
}

// What the schema cannot say: whether the address may be called, and whether the filter can match anything.
function checked(webhooks: Pick<Webhooks, "checkUrl">, rule: EndpointRule, isNewUrl = true): EndpointRule {
  const problem = isNewUrl ? webhooks.checkUrl(rule.url) : null;
  if (problem !== null) throw wrong("/url", problem);
  const text = problemOf(rule.description);
  if (text !== null) throw wrong("/description", text);
  const [first] = unfilteredTypes(rule.types, rule.filter);
  if (first !== undefined)
    throw wrong(
      `/filter/${first.member}`,
      `does not apply to ${first.type}: add another endpoint for that type, or leave the ${first.member} out`,
    );
  return rule;
}

function wrong(path: string, message: string): Fault {
  return new Fault("invalid_request", `The request is not valid: ${path.slice(1)} ${message}.`, {
    details: [{ path, message }],
  });
}
