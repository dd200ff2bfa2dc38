// The providers this process serves now. Read at start, again right after a change of our own, when another process
// rings, and when the revision, checked every two seconds, shows that a ring was missed. Until the first read we cannot
// answer; while the database is down we keep serving the last state.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { Background } from "../../foundation/background.ts";
import type { Bus } from "../../foundation/bus/bus.ts";
import { untilHeard } from "../../foundation/bus/forgetting.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Log } from "../../foundation/log.ts";
import { checkDefinition, type DefinitionChecks } from "./check-definition.ts";
import type { ProviderDefinition } from "./definition.ts";
import type { StoredDefinition } from "./definition-store.ts";
import {
  type EffectiveProvider,
  effectiveProviders,
  isReleased,
  type SourcedDefinition,
} from "./effective-providers.ts";
import { isGone, type ModelMarks, marksOf } from "./model-marks.ts";
import type { ProviderRecords } from "./provider-catalog.ts";
import { hasCredential, type PrepareDeps, prepareModels } from "./providers.ts";
import type { ServedModel } from "./served-model.ts";

export interface LiveModel {
  readonly id: string;
  readonly released: boolean;
  // What an operator decided. Null if the definition's own setting counts.
  readonly override: boolean | null;
  readonly served: boolean;
  readonly marks: ModelMarks;
}

export interface LiveProvider extends EffectiveProvider {
  readonly hasCredential: boolean;
  readonly models: readonly LiveModel[];
}

export interface LiveProviders {
  // Resolves after the first attempt. If that fails, `run` tries again.
  start(): Promise<void>;
  // Looks for changes by other processes until the signal fires.
  run(background: Background, signal: AbortSignal): Promise<void>;
  // Resolves once a state read after this call is in effect.
  refresh(): Promise<void>;
  // Call after a change of our own: applies it here and rings the others.
  changed(): Promise<void>;
  isLoaded(): boolean;
  list(): readonly LiveProvider[];
  // A model as a call began with it, even if no longer released or defined. Null if this server cannot reach it.
  modelOf(id: string, version: number | null): Promise<ServedModel | null>;
  // The effective definition, including a shipped provider without a configured credential.
  definitionOf(provider: string): Promise<ProviderDefinition | null>;
  // The operator's decision about a model, else what its definition says.
  isReleased(id: string, own: boolean): boolean;
  // Released models that only workspaces with their own credential can use, because this server has none for them.
  modelsForOwn(provider: string): Promise<readonly ServedModel[]>;
}

export interface LiveProvidersDeps extends PrepareDeps {
  readonly catalog: ProviderRecords;
  readonly checks: DefinitionChecks;
  // Definitions that exist only in this process: the sandbox.
  readonly builtIn: readonly ProviderDefinition[];
  // Definitions that ship with the server. Recorded like files, because a call may outlive an upgrade.
  shipped?(): Promise<readonly ProviderDefinition[]>;
  // Reads credentials that operators entered while the server was running, each time the state is read. True if they have
  // changed.
  loadCredentials?(): Promise<boolean>;
  readonly files: readonly ProviderDefinition[];
  // Any provider that ships with the server, configured or not.
  shippedOf?(provider: string): Promise<ProviderDefinition | null>;
  // Makes the models servable; the state is in effect once it resolves.
  apply(models: readonly ServedModel[]): Promise<void>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly lookEveryMs?: number;
}

const topic = "providers.changed";
// How long other processes take to read the definitions again.
const rereadAfterMs = 150;
const changedMsMax = 10_000;
const frozenMax = 200;

export function createLiveProviders(deps: LiveProvidersDeps): LiveProviders {
  return new Live(deps);
}

class Live implements LiveProviders {
  readonly #deps: LiveProvidersDeps;
  // Prepared once per version, so unchanged definitions keep their compiled schemas.
  #prepared = new Map<string, readonly ServedModel[]>();
  #frozen = new BoundedMap<string, readonly ServedModel[]>(frozenMax);
  // By provider: models that can be called only with a workspace's own credential.
  readonly #own = new Map<string, { readonly key: string; readonly models: readonly ServedModel[] }>();
  #releases: ReadonlyMap<string, boolean> = new Map();
  readonly #recorded = new Map<ProviderDefinition, number>();
  #live: readonly LiveProvider[] | null = null;
  #revision = "";
  // When the next served model is retired.
  #nextSunset: number | null = null;
  #reading: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(deps: LiveProvidersDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    await this.#look().catch((error: unknown) =>
      this.#deps.log.warn({ err: error }, "provider definitions cannot be read yet; trying again"),
    );
  }

  async run(background: Background, signal: AbortSignal): Promise<void> {
    const name = "providers: read changed definitions";
    const leave = this.#deps.bus.subscribe(topic, () => background.wake(name));
    const everyMs = this.#deps.lookEveryMs ?? 2000;
    await background.run({ name, everyMs, begins: "after_pause", round: () => this.#look() }, signal);
    leave();
    await this.#reading.catch(() => undefined);
  }

  // A read already running may have started before the caller's change, so another one follows it. Callers who arrive
  // while it waits share it.
  refresh(): Promise<void> {
    this.#next ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#reading = this.#read();
        return this.#reading;
      });
    return this.#next;
  }

  async changed(): Promise<void> {
    // The change is committed. If we cannot read it now, the next look at the revision will.
    const reading = this.refresh().catch((error: unknown) =>
      this.#deps.log.warn({ err: error }, "provider definitions could not be reloaded"),
    );
    // Preparing the models can take long on a busy machine, so the writer waits only so long.
    const over = new AbortController();
    await Promise.race([reading, this.#deps.clock.sleep(changedMsMax, over.signal)]).finally(() => over.abort());
    this.#deps.bus.publish(topic, null);
    await untilHeard(this.#deps.bus, rereadAfterMs);
  }

  isLoaded(): boolean {
    return this.#live !== null;
  }

  list(): readonly LiveProvider[] {
    if (this.#live === null)
      throw new Fault("service_unavailable", "The provider definitions are still loading. Try again shortly.", {
        retryAfterSeconds: 1,
      });
    return this.#live;
  }

  async modelOf(id: string, version: number | null): Promise<ServedModel | null> {
    const provider = id.slice(0, id.indexOf("/"));
    const current = this.list().find((each) => each.provider === provider);
    const isCurrent = version === null || current?.version === version;
    const models = isCurrent
      ? current && (current.hasCredential ? this.#prepared.get(keyOf(current)) : await this.#ownModels(provider))
      : await this.#frozenModels(provider, version);
    return models?.find((model) => model.id === id) ?? null;
  }

  async definitionOf(provider: string): Promise<ProviderDefinition | null> {
    const current = this.list().find((each) => each.provider === provider);
    return current ? current.definition : ((await this.#deps.shippedOf?.(provider)) ?? null);
  }

  isReleased(id: string, own: boolean): boolean {
    return isReleased(this.#releases, id, own);
  }

  async modelsForOwn(provider: string): Promise<readonly ServedModel[]> {
    const models = await this.#ownModels(provider);
    return models.filter(({ id, definition }) => isReleased(this.#releases, id, definition.released));
  }

  // Shipped definitions are read, recorded and prepared when the first workspace brings a credential; most never are.
  async #ownModels(provider: string): Promise<readonly ServedModel[]> {
    const current = this.list().find((each) => each.provider === provider);
    const key = current ? keyOf(current) : "shipped";
    const known = this.#own.get(provider);
    if (known?.key === key) return known.models;
    const definition = await this.definitionOf(provider);
    if (!definition?.workspace_credentials || hasCredential(this.#deps, definition)) return [];
    const version = current ? current.version : await this.#deps.catalog.record(definition);
    const models = prepareModels(this.#deps, definition, version, { forOwnCredentials: true });
    this.#own.set(provider, { key, models });
    return models;
  }

  async #frozenModels(provider: string, version: number): Promise<readonly ServedModel[]> {
    const key = `${provider}@${version}`;
    const known = this.#frozen.get(key);
    if (known) return known;
    const definition = await this.#deps.catalog.version(provider, version);
    if (definition === null) return [];
    const models = prepareModels(this.#deps, definition, version, { forOwnCredentials: true });
    this.#frozen.set(key, models);
    return models;
  }

  async #read(): Promise<void> {
    const { catalog, builtIn, files } = this.#deps;
    const { revision, definitions, releases, marks: stored } = await catalog.snapshot();
    const now = this.#deps.clock.now();
    if (await this.#deps.loadCredentials?.()) this.#forgetPrepared();
    const shipped = (await this.#deps.shipped?.()) ?? [];
    const recorded = this.#recorded;
    await recordAll(catalog, recorded, [...files, ...shipped]);
    const given = [
      ...definitions.map((stored) => this.#readStored(stored)),
      ...files.map((definition) => sourced("file", definition, recorded.get(definition) ?? null)),
      ...shipped.map((definition) => sourced("built_in", definition, recorded.get(definition) ?? null)),
      ...builtIn.map((definition) => sourced("built_in", definition, null)),
    ];
    const prepared = new Map<string, readonly ServedModel[]>();
    const live = effectiveProviders(given).map((provider): LiveProvider => {
      const { definition } = provider;
      if (definition === null) return { ...provider, hasCredential: false, models: [] };
      const key = keyOf(provider);
      const models = this.#prepared.get(key) ?? prepareModels(this.#deps, definition, provider.version);
      prepared.set(key, models);
      return {
        ...provider,
        hasCredential: hasCredential(this.#deps, definition),
        models: definition.models.map((model) => {
          const id = `${provider.provider}/${model.model}`;
          const released = isReleased(releases, id, model.released);
          const marks = marksOf(model, stored.get(id));
          const served = released && models.length > 0 && !isGone(marks, now);
          return { id, released, override: releases.get(id) ?? null, served, marks };
        }),
      };
    });
    const served = new Map(
      live.flatMap(({ models }) => models.filter((model) => model.served).map((model) => [model.id, model.marks])),
    );
    const applied = [...prepared.values()].flat().flatMap((model) => {
      const marks = served.get(model.id);
      return marks ? [{ ...model, marks }] : [];
    });
    await this.#deps.apply(applied);
    const ends = [...served.values()].flatMap(({ sunsetAt }) => (sunsetAt === null ? [] : [sunsetAt.getTime()]));
    this.#nextSunset = ends.length === 0 ? null : Math.min(...ends);
    this.#prepared = prepared;
    this.#releases = releases;
    this.#live = live;
    this.#revision = revision;
  }

  // Prepared models hold the credentials of their time.
  #forgetPrepared(): void {
    this.#prepared = new Map();
    this.#frozen = new BoundedMap(frozenMax);
    this.#own.clear();
  }

  #readStored(stored: StoredDefinition): SourcedDefinition {
    const checked = checkDefinition(this.#deps.checks, stored.definition);
    const { provider, version, createdAt } = stored;
    if (!checked.ok)
      this.#deps.log.error(
        { provider, version, problems: checked.problems },
        "this server cannot read a stored provider definition and does not serve it",
      );
    const definition = checked.ok ? checked.definition : null;
    return { source: "admin", provider, version, definition, updatedAt: createdAt };
  }

  async #look(): Promise<void> {
    const isOver = this.#nextSunset !== null && this.#nextSunset <= this.#deps.clock.now().getTime();
    if (this.#live === null || isOver || (await this.#deps.catalog.revision()) !== this.#revision) await this.refresh();
  }
}

async function recordAll(
  catalog: Pick<ProviderRecords, "record">,
  recorded: Map<ProviderDefinition, number>,
  definitions: readonly ProviderDefinition[],
): Promise<void> {
  const missing = definitions.filter((definition) => !recorded.has(definition));
  const versions = await Promise.all(missing.map((definition) => catalog.record(definition)));
  missing.forEach((definition, at) => void recorded.set(definition, versions[at] ?? 0));
}

function sourced(
  source: "file" | "built_in",
  definition: ProviderDefinition,
  version: number | null,
): SourcedDefinition {
  return { source, provider: definition.provider, version, definition, updatedAt: null };
}

function keyOf({ provider, source, version }: SourcedDefinition): string {
  return `${provider}@${version ?? source}`;
}
