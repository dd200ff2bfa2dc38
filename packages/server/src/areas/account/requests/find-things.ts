// Finds what a text refers to: an id of any kind, an Idempotency-Key, the digits of a hash, or the start of a key, a model's or a node's name.
// Every kind is asked in parallel and at most once, and each query uses an index or a short list. No match is not an error.
// Nothing here reveals another workspace: every query names the caller's. An operator also finds refused credentials, which have none.
import { type FoundThing, foundMax } from "@atelier/contract";
import type { Assets } from "../../../capabilities/assets/index.ts";
import type { Usage } from "../../../capabilities/calls/index.ts";
import type { ApiKey, Identity, Principal } from "../../../capabilities/identity/index.ts";
import type { Jobs } from "../../../capabilities/jobs/index.ts";
import type { Webhooks } from "../../../capabilities/webhooks/index.ts";
import { isUuid, trustedId } from "../../../foundation/ids.ts";
import type { RequestTrails } from "./show-request.ts";

export interface FindDeps {
  readonly usage: Pick<Usage, "list" | "call" | "callOfKey">;
  readonly identity: { readonly keys: Pick<Identity["keys"], "list"> };
  readonly trails: Pick<RequestTrails, "errorAnswer">;
  readonly webhooks: { readonly deliveries: Pick<Webhooks["deliveries"], "find"> };
  readonly finding: {
    readonly jobs: Pick<Jobs, "findAnywhere" | "findByKey">;
    readonly assets: Pick<Assets, "find" | "findByHash">;
    // Their ids, sorted: those that everyone sees, and the workspace's own.
    models(workspaceId: Principal["workspaceId"]): Promise<readonly string[]>;
    // From the registry, as far as the caller may see it.
    readonly registry: RegistryFinder;
  };
}

export interface RegistryFinder {
  nodes(asked: { principal: Principal; text: string; count: number }): Promise<readonly NamedNode[]>;
  findNodeByClass(asked: { principal: Principal; name: string }): Promise<NamedNode | null>;
  publisher(asked: {
    principal: Principal;
    id: string;
  }): Promise<{ readonly id: string; readonly name: string } | null>;
}

export interface NamedNode {
  readonly id: string;
  readonly name: string;
  readonly publisher: string | null;
}

interface Asked {
  readonly principal: Principal;
  // As typed, and in lower case.
  readonly text: string;
  readonly lower: string;
}

type Finder = (deps: FindDeps, asked: Asked) => Promise<readonly FoundThing[]>;

const none: readonly FoundThing[] = [];
const perKind = 5;
const textMin = 2;

export async function findThings(deps: FindDeps, principal: Principal, given: string): Promise<readonly FoundThing[]> {
  const text = given.trim();
  // PostgreSQL cannot store NUL, so nothing matches a text with one.
  if (text === "" || text.includes("\0") || !text.isWellFormed()) return none;
  const asked = { principal, text, lower: text.toLowerCase() };
  // Many programs send UUIDs as their keys.
  const finders = isUuid(asked.lower) ? [...byId, byKey] : [byKey, ...byText];
  const found = await Promise.all(finders.map((find) => find(deps, asked)));
  const seen = new Set<string>();
  return found
    .flat()
    .filter(({ kind, id }) => !seen.has(`${kind} ${id}`) && seen.add(`${kind} ${id}`))
    .slice(0, foundMax);
}

// What was sent with this Idempotency-Key: a call, which its request shows, or a job.
const byKey: Finder = async ({ usage, finding }, { principal: { workspaceId }, text }) => {
  const [call, job] = await Promise.all([
    usage.callOfKey({ workspaceId, key: text }),
    finding.jobs.findByKey({ workspaceId, key: text }),
  ]);
  const words = (what: string) => `Idempotency-Key ${text} · ${what}`;
  return [
    ...(call
      ? [requestThing(call.requestId ?? call.id, words(`${call.subject} · ${call.outcome ?? "running"}`), call.begunAt)]
      : []),
    ...(job ? [thing("job", job.id, `Job ${job.id}`, words(job.state), job.createdAt)] : []),
  ];
};

const byId: readonly Finder[] = [
  async ({ finding }, { principal: { workspaceId }, lower }) => {
    const job = await finding.jobs.findAnywhere({ workspaceId, jobId: trustedId(lower) });
    if (job === null) return none;
    return [
      thing("job", job.id, `Job ${job.id}`, job.metadata ? `${job.state} · ${job.metadata}` : job.state, job.createdAt),
    ];
  },
  async ({ usage, trails }, { principal, lower }) => {
    const { workspaceId } = principal;
    const filter = { requestOrCallId: lower };
    const [{ rows }, call, failed] = await Promise.all([
      usage.list({ workspaceId, filter, before: null, limit: 1 }),
      usage.call({ workspaceId, id: lower }),
      trails.errorAnswer({ by: principal, requestId: trustedId(lower) }),
    ]);
    const [row] = rows;
    if (failed) {
      const subject = row?.subject ?? call?.subject ?? `${failed.method} ${failed.path}`;
      return [requestThing(lower, `${subject} · ${failed.code} ${failed.status}`, failed.at)];
    }
    if (row) return [requestThing(lower, `${row.subject} · ${row.outcome}`, row.at)];
    return call ? [requestThing(lower, `${call.subject} · ${call.outcome ?? "running"}`, call.begunAt)] : none;
  },
  async ({ finding }, { principal: { workspaceId }, lower }) => {
    const [asset] = await finding.assets.find({ workspaceId, assetIds: [trustedId(lower)], filePaths: [] });
    return asset ? [assetThing(asset)] : none;
  },
  async ({ webhooks }, { principal: { workspaceId }, lower }) => {
    const delivery = await webhooks.deliveries.find(workspaceId, trustedId(lower));
    return delivery
      ? [
          thing(
            "delivery",
            delivery.id,
            `Delivery ${delivery.id}`,
            `${delivery.type} · ${delivery.status}`,
            delivery.createdAt,
          ),
        ]
      : none;
  },
  async ({ identity }, { principal: { workspaceId }, lower }) =>
    (await identity.keys.list(workspaceId)).filter(({ id }) => id === lower).map(keyThing),
];

const hashText = /^(?:blake3:)?([0-9a-f]{8,64})$/;

const byText: readonly Finder[] = [
  async ({ finding }, { principal: { workspaceId }, lower }) => {
    const digits = hashText.exec(lower)?.[1];
    if (digits === undefined) return none;
    return (await finding.assets.findByHash({ workspaceId, digits, count: perKind })).map(assetThing);
  },
  // A whole key may have been pasted: only its public part is used.
  async ({ identity }, { principal: { workspaceId }, text, lower }) => {
    if (text.length < textMin) return none;
    const beginsSo = ({ prefix, name }: ApiKey) =>
      (text.startsWith("service-") && (prefix.startsWith(text) || text.startsWith(prefix))) ||
      name.toLowerCase().startsWith(lower);
    return (await identity.keys.list(workspaceId)).filter(beginsSo).slice(0, perKind).map(keyThing);
  },
  async ({ finding }, { principal: { workspaceId }, lower }) => {
    const ids = await finding.models(workspaceId);
    return nearestModels(ids, lower)
      .slice(0, perKind)
      .map((id) => thing("model", id, id, null, null));
  },
  async ({ finding }, { principal, text }) => {
    if (text.length < textMin) return none;
    const nodes = await finding.registry.nodes({ principal, text, count: perKind });
    return nodes.map((node) => thing("node", node.id, node.name, subtitleOf(node), null));
  },
  async ({ finding }, { principal, text }) => {
    const node = await finding.registry.findNodeByClass({ principal, name: text });
    return node ? [thing("node_class", text, text, `of ${node.id}`, null)] : none;
  },
  async ({ finding }, { principal, lower }) => {
    const publisher = await finding.registry.publisher({ principal, id: lower });
    return publisher ? [thing("publisher", publisher.id, publisher.name, "Publisher", null)] : none;
  },
];

// Exact matches first, then ids that start with the text, then those whose model does, then those that contain it.
function nearestModels(ids: readonly string[], lower: string): readonly string[] {
  const rank = (id: string) => {
    const at = id.toLowerCase().indexOf(lower);
    if (at < 0) return null;
    if (at === 0) return id.length === lower.length ? 0 : 1;
    return id[at - 1] === "/" ? 2 : 3;
  };
  return ids
    .flatMap((id) => {
      const found = rank(id);
      return found === null ? [] : [{ id, found }];
    })
    .sort((one, two) => one.found - two.found)
    .map(({ id }) => id);
}

function subtitleOf({ id, publisher }: NamedNode): string {
  return publisher === null ? id : `${id} · ${publisher}`;
}

function assetThing(asset: Awaited<ReturnType<Assets["find"]>>[number]): FoundThing {
  return thing(
    "asset",
    asset.id,
    asset.filePath ?? `Asset ${asset.id}`,
    `${asset.contentType} · blake3:${asset.hash.slice(0, 12)}…`,
    asset.createdAt,
  );
}

function keyThing(key: ApiKey): FoundThing {
  return thing("key", key.id, key.name, `${key.prefix}…${key.revokedAt === null ? "" : " · revoked"}`, key.createdAt);
}

const requestThing = (id: string, subtitle: string, at: Date): FoundThing =>
  thing("request", id, `Request ${id}`, subtitle, at);

function thing(
  kind: FoundThing["kind"],
  id: string,
  title: string,
  subtitle: string | null,
  at: Date | null,
): FoundThing {
  return { kind, id, title, subtitle, at: at?.toISOString() ?? null };
}
