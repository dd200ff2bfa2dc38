// Builds the services behind this process's areas, in the order of their dependencies: badges, partners, the model router, the
// registry, and workflows with the content origin, which accepts the registry's archives.

import type { Badge } from "@atelier/contract";
import { classSet } from "@atelier/engine";
import { type StandIns, standInsOf } from "../../capabilities/conformance/index.ts";
import { openPicture, usesOfDeclared } from "../../capabilities/graphs/index.ts";
import { outcomeBucket } from "../../capabilities/model-calls/index.ts";
import { readNodes } from "../../capabilities/partner-nodes/index.ts";
import { usesOfModels, usesOfPartners, withOtherNames } from "../../capabilities/prices/index.ts";
import {
  type ProviderDefinition,
  registerHealthMetrics,
  registerProviderMetrics,
} from "../../capabilities/providers/index.ts";
import type { Registry } from "../../capabilities/registry/index.ts";
import { createReleaseNotes, offersOf, type ReleaseNotes } from "../../capabilities/release-notes/index.ts";
import type { Config } from "../../config.ts";
import type { KnownSecrets } from "../../foundation/known-secrets.ts";
import { type Secret, UsageProblem } from "../../foundation/settings.ts";
import { contentAddress } from "../../surfaces/own-addresses.ts";
import { isDevelopment } from "../development.ts";
import { credentialName, runSandbox, type Sandbox, type SharedSandbox, sandboxAt } from "../run-sandbox.ts";
import { type Badges, buildBadges } from "./build-badges.ts";
import { type BuiltModelCalls, buildModelCalls } from "./build-model-calls.ts";
import { buildRegistry } from "./build-registry.ts";
import { buildWorkflows, type WorkflowDeps, type Workflows } from "./build-workflows.ts";
import { openOutputKeeper } from "./open/open-output-keeper.ts";
import { buildPartners, type Partners } from "./providers/build-partners.ts";

export interface ServiceDeps
  extends Omit<WorkflowDeps, "router" | "published" | "followBadges" | "badges" | "content" | "registry"> {
  // Providers' credentials, keyed by the name of their setting.
  readonly secrets: ReadonlyMap<string, Secret>;
  readonly known: KnownSecrets;
}

export interface Services {
  readonly badges: Badges;
  readonly partners: Partners;
  readonly models: BuiltModelCalls;
  readonly registry: Registry;
  readonly workflows: Workflows;
  readonly releaseNotes: ReleaseNotes;
  // Null if no sandbox is running.
  readonly sandbox: SharedSandbox | null;
}

export async function buildServices(deps: ServiceDeps): Promise<Services> {
  const badges = await buildBadges(deps);
  const classes = classSet(await readNodes(deps.config.providerNodes));
  const standIns = deps.config.standIns === "on" ? await standInsOf(classes, (name) => deps.secrets.has(name)) : null;
  const sandbox = await openSandbox(deps, standIns);
  const providerMeter = registerProviderMetrics(deps.metrics.registry, outcomeBucket);
  const partners = await buildPartners({ ...deps, sandbox, providerMeter });
  await badges.follow("partners", withOtherNames(usesOfPartners(partners.all), deps.dialect));
  let declaredBadges: ReadonlyMap<string, Badge> = new Map();
  const models = await buildModelCalls({
    ...deps,
    providerMeter,
    classes,
    badges: () => declaredBadges,
    builtIn: { definitions: sandbox ? definitionsIn(sandbox, standIns) : [], secrets: sandbox?.secrets ?? new Map() },
    followings: [partners.following],
    priced(served) {
      const declared = usesOfDeclared(classes, served);
      declaredBadges = new Map(declared.flatMap(({ node, badge }) => (badge ? [[node.name, badge]] : [])));
      return badges.follow("models", [...usesOfModels(served), ...declared]);
    },
  });
  registerHealthMetrics(deps.metrics.registry, models.health);
  const content = contentAddress(deps.config);
  const registry = await buildRegistry({ ...deps, contentUrl: content.url });
  const workflows = await buildWorkflows({
    ...deps,
    router: models.forGraphs,
    published: models.published,
    followBadges: (uses) => badges.follow("works", uses),
    badges: badges.maps,
    content,
    registry,
  });
  models.keeper.connect(openOutputKeeper({ assets: workflows.assets, open: openPicture(models.forGraphs) }));
  const works = workflows.works.works;
  const offered = { live: models.live, partners: partners.all, badges: () => badges.maps.current().newest };
  const { database } = deps.storage;
  const releaseNotes = createReleaseNotes({
    database,
    clock: deps.clock,
    ...offersOf({ ...offered, registry, works }),
  });
  deps.life.work("release notes", releaseNotes, 5);
  return { badges, partners, models, registry, workflows, releaseNotes, sandbox: sandbox?.shared ?? null };
}

async function openSandbox(deps: ServiceDeps, standIns: StandIns | null): Promise<Sandbox | null> {
  if (!isWithSandbox(deps.config)) {
    if (standIns !== null) throw new UsageProblem(["ATELIER_STAND_INS needs the sandbox: set ATELIER_SANDBOX to on."]);
    return null;
  }
  const shared = deps.among?.sandbox ?? null;
  return shared === null ? runSandbox(deps, standIns?.models) : sandboxAt(shared);
}

function definitionsIn({ definition, shared }: Sandbox, standIns: StandIns | null): ProviderDefinition[] {
  const credential = { kind: "bearer", setting: credentialName } as const;
  return [definition, ...(standIns?.definitionsAt(shared.url, credential) ?? [])];
}

function isWithSandbox(config: Config): boolean {
  return config.sandbox === "on" || (config.sandbox === "auto" && isDevelopment(config));
}
