// Endpoints as people set and see them. A change and what it does to waiting deliveries are one transaction. Changes of one
// workspace run one after another, so that the number of endpoints and their addresses are judged exactly.
import { limits } from "@atelier/contract";
import type { Clock } from "../../../foundation/clock.ts";
import type { Acting } from "../../../foundation/database/acting.ts";
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Audit } from "../../audit/index.ts";
import { lockWorkspace } from "../../identity/shared-sql.ts";
import type { Sealer } from "../../secrets/index.ts";
import { type EndpointId, receiverOf } from "../delivery.ts";
import { makeSecret } from "../sealed-secret.ts";
import { overlapSecondsDefault, type WebhookSecret } from "../webhook-secrets.ts";
import { deletedText, type Endpoint, type EndpointRule, pausedText } from "./endpoint.ts";
import { endEndpointSecrets, hasCurrentSecret, insertEndpointSecret } from "./endpoint-secret-store.ts";
import {
  deleteEndpoint,
  endWaiting,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  moveWaiting,
  type NamedEndpoint,
  pauseEndpoint,
  resumeEndpoint,
  writeEndpoint,
} from "./endpoint-store.ts";

export interface Endpoints {
  // Oldest first.
  list(workspaceId: WorkspaceId): Promise<readonly Endpoint[]>;
  // This and all below throw not_found, also for endpoints of other workspaces.
  get(named: NamedEndpoint): Promise<Endpoint>;
  // With the text of its secret this one time. Throws conflict if the address is taken or there are too many. The URL has passed
  // checkUrl, here and in `change`.
  create(
    workspaceId: WorkspaceId,
    rule: EndpointRule,
    acting: Acting,
  ): Promise<{ readonly endpoint: Endpoint; readonly text: string }>;
  // `decide` gets the endpoint as it is, under the lock.
  change(named: NamedEndpoint, decide: (before: Endpoint) => EndpointRule, acting: Acting): Promise<Endpoint>;
  remove(named: NamedEndpoint, acting: Acting): Promise<void>;
  pause(named: NamedEndpoint, acting: Acting): Promise<Endpoint>;
  resume(named: NamedEndpoint, acting: Acting): Promise<Endpoint>;
  rotate(
    named: NamedEndpoint & { readonly overlapSeconds?: number | undefined },
    acting: Acting,
  ): Promise<WebhookSecret & { readonly text: string }>;
}

export interface EndpointsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly audit: Pick<Audit, "append">;
  // What this process remembers for signing is out of date.
  changed(workspaceId: WorkspaceId): void;
}

export function createEndpoints(deps: EndpointsDeps): Endpoints {
  const { database, clock, sealer } = deps;

  async function get(named: NamedEndpoint): Promise<Endpoint> {
    return (await findEndpoint(database, named)) ?? refuse();
  }

  // Locks the workspace, runs the change on the endpoint as it is, and writes the audit entry.
  async function changing(
    named: NamedEndpoint,
    action: string,
    acting: Acting,
    run: (tx: Queryable, before: Endpoint) => Promise<object>,
  ): Promise<void> {
    await database.transaction(async (tx) => {
      await lockWorkspace(tx, named.workspaceId);
      const before = (await findEndpoint(tx, named)) ?? refuse();
      await note(deps, tx, { named, action, after: await run(tx, before) }, acting);
    });
    deps.changed(named.workspaceId);
  }

  return {
    list: (workspaceId) => listEndpoints(database, workspaceId),
    get,
    async create(workspaceId, rule, acting) {
      const { id, text } = await addEndpoint(deps, workspaceId, rule, acting);
      deps.changed(workspaceId);
      return { endpoint: await get({ workspaceId, id }), text };
    },
    async change(named, decide, acting) {
      await changing(named, "update", acting, async (tx, before) => {
        const rule = decide(before);
        const receiver = receiverOf(rule.url);
        const others = await listEndpoints(tx, named.workspaceId);
        requireFree(
          others.filter(({ id }) => id !== named.id),
          rule.url,
        );
        await writeEndpoint(tx, { ...named, rule, receiver });
        if (rule.url !== before.url) await moveWaiting(tx, { ...named, url: rule.url, receiver });
        return shownOf(rule);
      });
      return get(named);
    },
    async remove(named, acting) {
      await changing(named, "delete", acting, async (tx, { receiver }) => {
        await endWaiting(tx, { ...named, now: clock.now(), error: deletedText });
        await deleteEndpoint(tx, named);
        return { receiver };
      });
    },
    async pause(named, acting) {
      await changing(named, "pause", acting, async (tx, { receiver }) => {
        await pauseEndpoint(tx, named, clock.now());
        await endWaiting(tx, { ...named, now: clock.now(), error: pausedText });
        return { receiver };
      });
      return get(named);
    },
    async resume(named, acting) {
      await changing(named, "resume", acting, async (tx, { receiver }) => {
        await requireSecret(tx, named);
        await resumeEndpoint(tx, named);
        return { receiver };
      });
      return get(named);
    },
    async rotate({ overlapSeconds = overlapSecondsDefault, ...named }, acting) {
      const now = clock.now();
      const { row, text } = makeSecret(sealer, named.workspaceId, now);
      await changing(named, "rotate_secret", acting, async (tx) => {
        await endEndpointSecrets(tx, named, new Date(now.getTime() + overlapSeconds * 1000));
        await insertEndpointSecret(tx, named.id, row);
        return { overlap_seconds: overlapSeconds };
      });
      return { id: row.id, createdAt: now, signsUntil: null, text };
    },
  };
}

async function addEndpoint(
  deps: EndpointsDeps,
  workspaceId: WorkspaceId,
  rule: EndpointRule,
  acting: Acting,
): Promise<{ readonly id: EndpointId; readonly text: string }> {
  const now = deps.clock.now();
  const named = { workspaceId, id: newId<"webhook-endpoint">(now.getTime()) };
  const { row, text } = makeSecret(deps.sealer, workspaceId, now);
  await deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const others = await listEndpoints(tx, workspaceId);
    if (others.length >= limits.webhookEndpointsMax)
      throw new Fault(
        "conflict",
        `A workspace has at most ${limits.webhookEndpointsMax} webhook endpoints. Delete one first.`,
      );
    requireFree(others, rule.url);
    await insertEndpoint(tx, { ...named, rule, receiver: receiverOf(rule.url), at: now });
    await insertEndpointSecret(tx, named.id, row);
    await note(deps, tx, { named, action: "create", after: shownOf(rule) }, acting);
  });
  return { id: named.id, text };
}

// Endpoints of a workspace that moved here have none yet, and would send nothing.
async function requireSecret(tx: Queryable, named: NamedEndpoint): Promise<void> {
  if (await hasCurrentSecret(tx, named)) return;
  throw new Fault("conflict", "This endpoint has no secret on this server yet. Rotate its secret first.");
}

function refuse(): never {
  throw new Fault("not_found", "There is no such webhook endpoint.");
}

function requireFree(others: readonly Endpoint[], url: string): void {
  const { href } = new URL(url);
  const same = others.find((other) => new URL(other.url).href === href);
  if (same !== undefined)
    throw new Fault("conflict", `The endpoint ${same.id} has this address already. Change its types instead.`, {
      details: { endpoint_id: same.id },
    });
}

// A path may be a secret of the receiver's owner, so the audit has the receiver alone.
function shownOf({ url, types, filter, description }: EndpointRule) {
  return { receiver: receiverOf(url), types, filter, description };
}

async function note(
  { audit }: Pick<EndpointsDeps, "audit">,
  tx: Queryable,
  entry: { readonly named: NamedEndpoint; readonly action: string; readonly after: object },
  acting: Acting,
): Promise<void> {
  await audit.append(tx, {
    ...acting,
    action: `webhook_endpoint.${entry.action}`,
    subject: { kind: "webhook_endpoint", id: entry.named.id },
    workspaceId: entry.named.workspaceId,
    after: entry.after,
    shown: ["receiver", "types"],
  });
}
