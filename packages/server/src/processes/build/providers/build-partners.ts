// The partners of this process: the shipped definitions, pointed at the sandbox or where the settings say, and those from
// files. Tasks are followed while the process runs.
import { createRequestReader, partnerCallbacks, partnerProxy } from "../../../areas/partner-proxy/index.ts";
import type { Assets } from "../../../capabilities/assets/index.ts";
import { type CallFollowing, callPlannerSettings } from "../../../capabilities/calls/index.ts";
import { slotsOf } from "../../../capabilities/limits/index.ts";
import { callbackBase, createPartnerTasks, type PartnerTasks } from "../../../capabilities/partner-tasks/index.ts";
import { type Partner, placedDefinitions, pricePartner } from "../../../capabilities/partners/index.ts";
import type { ProviderMeter } from "../../../capabilities/providers/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type Area, area } from "../../../foundation/http/area.ts";
import { createUpstream } from "../../../foundation/http/outgoing/fetch-upstream.ts";
import type { KnownSecrets } from "../../../foundation/known-secrets.ts";
import type { Secret } from "../../../foundation/settings.ts";
import { type Dialect, partnerTokenAudience } from "../../../surfaces/dialect/index.ts";
import { drainSecondsOf, withinDrain } from "../../drain-seconds.ts";
import type { Sandbox } from "../../run-sandbox.ts";
import type { ServingDeps } from "../serving-deps.ts";

export interface PartnersDeps extends ServingDeps {
  readonly providerMeter: ProviderMeter;
  readonly known: KnownSecrets;
  // The operator's credentials.
  readonly secrets: ReadonlyMap<string, Secret>;
  // Whether public clients of such proxies are served what they expect. Null to serve only the contract.
  readonly dialect: Pick<Dialect, "partnerNodes"> | null;
  // The URLs of the sandbox's partners while it runs, and the credentials that are valid only there.
  readonly sandbox: Pick<Sandbox, "partners" | "secrets"> | null;
}

export interface Partners {
  readonly all: readonly Partner[];
  // Follows the calls that belong to tasks.
  readonly following: CallFollowing;
  // Returns the task as stored.
  readonly findTask: PartnerTasks["find"];
  areas(assets: Assets): readonly Area[];
}

export async function buildPartners(deps: PartnersDeps): Promise<Partners> {
  const { config, life, clock, log, capabilities, paying } = deps;
  const { issuer } = capabilities.identity;
  const audience = partnerTokenAudience(config.dialect);
  const partners = new Map<string, Partner>();
  const pricing = { ...paying, clock, log, database: deps.storage.database, creditsPerUsd: config.creditsPerUsd };
  for (const placed of await placedDefinitions({ ...deps, offer: deps.dialect?.partnerNodes ? "further" : "contract" }))
    partners.set(placed.definition.partner, await pricePartner(pricing, placed));
  // Separate connections: tasks end calls, whose statements use their own planner settings.
  const database = deps.storage.open("connections of partner tasks", {
    poolSize: 6,
    readers: 1,
    settings: callPlannerSettings,
  });
  const upstream = createUpstream({ clock });
  life.onStop("connections to partners", () => upstream.close());
  const tasks = createPartnerTasks({
    database,
    clock,
    log,
    upstream,
    providerMeter: deps.providerMeter,
    tracer: deps.tracer ?? null,
    credentialRefused: paying.credentialRefused,
    known: deps.known,
    calls: paying.calls,
    caps: paying.keyCaps,
    usage: paying.usage,
    prices: paying.prices,
    webhooks: deps.webhooks,
    keyRing: capabilities.keyRing,
    partners,
    callbackBase: ({ baseUrl }) => callbackBase(deps.baseUrl(), baseUrl),
    slotsOf: (workspaceId) => slotsOf(capabilities.limits, workspaceId),
    keepDays: config.partnerTaskKeepDays,
  });
  const requests = createRequestReader(clock);
  life.onStop("threads for large requests to partners", () => requests.close());
  // Submissions in progress may come back; another process takes over the rest.
  life.onStop("partner tasks", () => tasks.close(), 15);
  life.onStop("submissions at partners", () => withinDrain(deps, tasks.submitted()), drainSecondsOf(config) + 5);
  life.work("work on partner tasks", tasks, 15);
  return {
    all: [...partners.values()],
    following: tasks.following,
    findTask: tasks.find,
    areas: (assets) => [
      area(
        partnerProxy({
          authenticate: async (arrival) => capabilities.identity.authenticateForPartners(arrival),
          admitRate: (caller) => capabilities.limits.admit(caller.workspaceId, "router_and_partner"),
          async requireEntitlement(caller, id) {
            if (!(await capabilities.identity.entitlements.mayRun(caller.workspaceId, id)))
              throw new Fault("forbidden", "This workspace may not use this operation.");
          },
          checkWebhookUrl: (url) => deps.webhooks.checkUrl(url),
          requests,
          bodyBytesMax: config.partnerBodyBytesMax,
          keyConflicts: deps.dialect?.partnerNodes ? "typed" : "plain",
          extraHeaders: deps.dialect?.partnerNodes ? { pastRuns: paying.pastRuns } : null,
          tokens: audience === null ? null : { sign: (holder) => issuer.sign(holder, audience) },
          partners: [...partners.values()],
          tasks,
          assets,
        }),
      ),
      partnerCallbacks(tasks),
    ],
  };
}
