// Links to a work. Making one gives others the workspace's money to spend, so it takes what making a key takes: the scope
// `account`.
import { type WorkLink as LinkBody, NewWorkLink, operations } from "@atelier/contract";
import { requireScope } from "../../../capabilities/identity/index.ts";
import { creditsText } from "../../../capabilities/prices/index.ts";
import type { WorkLink, WorkLinks } from "../../../capabilities/works/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type Incoming, jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import { personBehind } from "../account-authority.ts";
import type { AccountCaller } from "../account-caller.ts";
import { readAmount } from "../figures/read-amount.ts";
import { readMoment } from "../figures/read-moment.ts";
import { fresh } from "../workflows/saved-workflows.route.ts";
import { requireLocator, type WorkDeps, workCaller } from "./works.route.ts";

export interface WorkLinkDeps extends WorkDeps {
  readonly links: WorkLinks;
  // Where people open works, without a trailing slash.
  readonly pageUrl: () => string;
}

export function createWorkLinkRoute(deps: WorkLinkDeps): Route<AccountCaller> {
  return route(operations.createWorkLink, async (incoming) => {
    const locator = requireLinkable(incoming);
    const body = requireValid(NewWorkLink, await incoming.json());
    const given = {
      label: body.label?.trim() ?? null,
      budget: readAmount("budget", body.budget),
      expiresAt: readEnd(body.expires_at),
      createdBy: await personBehind(deps.identity, incoming.caller.principal),
    };
    const { link, secret, modelId } = await deps.links.create(workCaller(incoming), locator, given);
    const url = `${deps.pageUrl()}/w/${modelId}#key=${secret}`;
    const location = `/account/works/${locator.name}/links/${link.id}`;
    return jsonAnswer(201, { ...presentLink(link), url }, { ...fresh, location });
  });
}

export function listWorkLinksRoute(deps: WorkLinkDeps): Route<AccountCaller> {
  return route(operations.listWorkLinks, async (incoming) => {
    const links = await deps.links.list(requireLinkable(incoming));
    return jsonAnswer(200, { data: links.map(presentLink) }, fresh);
  });
}

export function deleteWorkLinkRoute(deps: WorkLinkDeps): Route<AccountCaller> {
  return route(operations.deleteWorkLink, async (incoming) => {
    const locator = requireLinkable(incoming);
    await deps.links.end(workCaller(incoming), locator, incoming.params["linkId"] ?? "");
    return { status: 204 };
  });
}

function requireLinkable(incoming: Incoming<AccountCaller>) {
  requireScope(incoming.caller.principal, "account");
  return requireLocator(incoming);
}

function presentLink({ id, label, budget, spent, expiresAt, endedAt, createdAt }: WorkLink): LinkBody {
  return {
    id,
    label,
    budget: creditsText(budget),
    spent: creditsText(spent),
    expires_at: expiresAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  };
}

function readEnd(text: string): Date {
  const end = readMoment("expires_at", text);
  if (end === null) throw new Fault("invalid_request", "expires_at must be a time.");
  return end;
}
