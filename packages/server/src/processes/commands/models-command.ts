// `atelier models`: provider definitions and releases, changed directly in the database on the machine itself. Running servers
// notice a change within two seconds. It shows stored definitions, files and shipped ones, and why one is not served. It does
// not show what a running server brings itself (the sandbox), but those releases can still be set.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Audit } from "../../capabilities/audit/index.ts";
import { checkModels, type VerifiedModel } from "../../capabilities/conformance/index.ts";
import { readProviderFiles, shippedDefinition, shippedProviders } from "../../capabilities/model-calls/index.ts";
import {
  creditsText,
  holdBound,
  priceChecks,
  priceOf,
  priceWords,
  validatePrice,
} from "../../capabilities/prices/index.ts";
import {
  checkDefinition,
  createProviderCatalog,
  createProviderCredentials,
  type EffectiveProvider,
  effectiveProviders,
  heldCredentials,
  hostsIn,
  isReleased,
  marksOf,
  type ProviderCatalog,
  type ProviderCredentials,
  type ProviderDefinition,
  problemText,
  providerSecrets,
  type SourcedDefinition,
} from "../../capabilities/providers/index.ts";
import { createSealer } from "../../capabilities/secrets/index.ts";
import type { Config } from "../../config.ts";
import { systemClock } from "../../foundation/clock.ts";
import type { Storage } from "../../foundation/database/opening/open-storage.ts";
import { readJsonFile } from "../../foundation/json/json-file.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { isDevelopment } from "../development.ts";
import { type Command, type CommandResult, readCommand } from "./command.ts";
import { commandLine, withinProcess } from "./within-process.ts";

const releaseWords: Readonly<Record<string, boolean | null>> = { on: true, off: false, default: null };
const modelIdShape = /^[a-z0-9]+([._-][a-z0-9]+)*\/[a-z0-9]+([._-][a-z0-9]+)*$/;

interface Parts {
  readonly catalog: ProviderCatalog;
  readonly files: readonly ProviderDefinition[];
  readonly shipped: readonly ProviderDefinition[];
  hasCredential(definition: ProviderDefinition): boolean;
  readonly creditsPerUsd: number;
}

export const modelsCommand: Command = {
  async run(listed, input) {
    const command = readCommand(listed, input);
    const { config, verb, words } = command;
    if (verb === "check")
      return checkModels({
        name: words[0] ?? "",
        options: command.options,
        isLocal: isDevelopment(config),
        env: input.env,
        say: input.say,
        record: (model) => recordVerified(config, model),
      });
    const [word = "", state = ""] = words;
    // Checked before the database is opened, so that wrong usage fails immediately.
    const release = verb === "release" ? readRelease(word, state) : null;
    const retirement = verb === "deprecate" ? readRetirement(word, command.options) : null;
    const value = verb === "put" ? await readDefinition(word) : null;
    const files = await readProviderFiles(config.providers);
    const secrets = providerSecrets(input.env);
    const shipped = await shippedProviders(() => true);
    const credentials = createProviderCredentials({
      secrets,
      own: [...files, ...shipped],
      isLocal: isDevelopment(config),
    });
    return withinProcess(config, async ({ capabilities, storage }) => {
      const { audit, keyRing } = await capabilities();
      const held = heldCredentials({ database: storage.database, sealer: createSealer(keyRing) });
      await held.load();
      const catalog = catalogIn(storage, audit, credentials.targetProblems);
      const hasCredential = (definition: ProviderDefinition) => {
        const { credential } = definition;
        if (credential.kind === "none") return true;
        const hosts = hostsIn(definition);
        return (credentials.credentialOf(credential.setting, hosts) ?? held.find(credential.setting, hosts)) !== null;
      };
      const parts: Parts = { catalog, files, shipped, hasCredential, creditsPerUsd: config.creditsPerUsd };
      if (value) return put(parts, value);
      if (release) return setRelease(parts, release);
      if (retirement) return deprecate(parts, retirement);
      if (verb === "remove") return remove(parts, word);
      return verb === "show" ? show(parts, word) : list(parts);
    });
  },
};

function requireModelId(id: string): void {
  if (!modelIdShape.test(id)) throw new UsageProblem(["Pass a model id, such as sandbox/image-1."]);
}

function readRelease(id: string, state: string): { readonly id: string; readonly released: boolean | null } {
  requireModelId(id);
  const released = Object.hasOwn(releaseWords, state) ? releaseWords[state] : undefined;
  if (released === undefined) throw new UsageProblem(["Choose on, off or default."]);
  return { id, released };
}

interface Retirement {
  readonly id: string;
  readonly deprecatedAt: Date | null;
  readonly sunsetAt: Date | null;
}

// Decisions, section 1: a removal is announced at least 90 days ahead.
const noticeDays = 90;

function readRetirement(id: string, options: Readonly<Record<string, unknown>>): Retirement {
  requireModelId(id);
  if (options["undo"] === true) return { id, deprecatedAt: null, sunsetAt: null };
  const deprecatedAt = systemClock.now();
  const given = options["sunset"];
  if (given === undefined) return { id, deprecatedAt, sunsetAt: null };
  const sunsetAt = new Date(/^\d{4}-\d\d-\d\d$/.test(String(given)) ? `${given}T00:00:00Z` : Number.NaN);
  if (!(sunsetAt.getTime() - deprecatedAt.getTime() >= noticeDays * 86_400_000))
    throw new UsageProblem([`--sunset must be a date at least ${noticeDays} days from now, such as 2027-06-30.`]);
  return { id, deprecatedAt, sunsetAt };
}

async function readDefinition(path: string): Promise<ProviderDefinition> {
  const { value, lineOf } = await readJsonFile(path);
  const checked = checkDefinition(priceChecks, value);
  if (checked.ok) return checked.definition;
  throw new UsageProblem(
    checked.fields.map((field) => `${path} is wrong, line ${lineOf(field.path)}: ${problemText(field)}`),
  );
}

async function providersOf({ catalog, files, shipped }: Parts) {
  const { definitions, releases, marks } = await catalog.snapshot();
  const stored = definitions.map((each): SourcedDefinition => {
    const checked = checkDefinition(priceChecks, each.definition);
    const definition = checked.ok ? checked.definition : null;
    return { source: "admin", provider: each.provider, version: each.version, definition, updatedAt: each.createdAt };
  });
  const unstored = (source: "file" | "built_in") => (definition: ProviderDefinition) => {
    const { provider } = definition;
    return { source, provider, version: null, definition, updatedAt: null };
  };
  const own = [...files.map(unstored("file")), ...shipped.map(unstored("built_in"))];
  return { providers: effectiveProviders([...stored, ...own]), releases, marks };
}

async function list(parts: Parts): Promise<CommandResult> {
  const { providers, releases, marks } = await providersOf(parts);
  const data = providers.flatMap((provider) =>
    (provider.definition?.models ?? []).map((model) => {
      const id = `${provider.provider}/${model.model}`;
      return {
        id,
        source: provider.source,
        version: provider.version,
        released: isReleased(releases, id, model.released),
        release_override: releases.get(id) ?? null,
        not_served_because: whyNotServed(parts, provider, isReleased(releases, id, model.released)),
        verified: marksOf(model, marks.get(id)).verifiedAt,
        ...pricesOf(parts, model),
      };
    }),
  );
  const rows = data.map((model) => [
    model.id,
    model.source,
    model.version === null ? null : String(model.version),
    model.not_served_because ?? (model.release_override === null ? "yes" : "yes, by an operator"),
    model.verified ?? "never",
    model.example_credits_max,
    shortened(model.price_credits),
  ]);
  const warnings = providers
    .filter(({ definition }) => definition === null)
    .map(({ provider }) => `This version cannot read the stored definition of ${provider}.`);
  const columns = ["model", "source", "version", "served", "verified", "example at most", "credits"];
  const empty = "No definitions.";
  return { data, text: { columns, rows, empty }, warnings };
}

// Null if it is served.
function whyNotServed(parts: Parts, { definition }: EffectiveProvider, released: boolean): string | null {
  if (definition === null) return "no: this version cannot read the definition";
  if (!released) return "no: not released";
  if (parts.hasCredential(definition)) return null;
  const { credential } = definition;
  return credential.kind === "none" ? null : `no: needs ${credential.setting}`;
}

// The catalog that callers see never shows a price (Spec, Router); the operator sees it here.
function pricesOf({ creditsPerUsd }: Parts, { price, example }: ProviderDefinition["models"][number]) {
  const validated = validatePrice(price);
  if (!validated.ok) return { price_credits: null, example_credits_max: null };
  const { definition } = validated;
  return {
    price_credits: priceWords(definition, creditsPerUsd),
    example_credits_max: creditsText(holdBound(priceOf(definition, creditsPerUsd), example ?? {})),
  };
}

function shortened(words: string | null): string | null {
  return words !== null && words.length > 80 ? `${words.slice(0, 79)}…` : words;
}

async function show(parts: Parts, name: string): Promise<CommandResult> {
  if (name.includes("/")) return showModel(parts, name);
  const found: EffectiveProvider | undefined = (await providersOf(parts)).providers.find(
    ({ provider }) => provider === name,
  );
  if (!found) return showShipped(name);
  const { source, version, definition } = found;
  return { data: { provider: name, source, version, definition }, text: JSON.stringify(definition, null, 2) };
}

// One model with its price, which the catalog does not show.
async function showModel(parts: Parts, id: string): Promise<CommandResult> {
  const { providers, releases } = await providersOf(parts);
  const found = providers.find(({ provider }) => id.startsWith(`${provider}/`));
  const model = found?.definition?.models.find((each) => `${found.provider}/${each.model}` === id);
  if (!found || !model)
    throw new UsageProblem([`There is no model ${id} with a credential. List models: atelier models list`]);
  const prices = pricesOf(parts, model);
  const data = { id, source: found.source, version: found.version, released: isReleased(releases, id, model.released) };
  const { price_credits, example_credits_max } = prices;
  const lines = [
    `model                 ${id}`,
    `source                ${found.source}${found.version === null ? "" : `, version ${found.version}`}`,
    `released              ${data.released ? "yes" : "no"}`,
    `price in credits      ${price_credits ?? "unreadable"}`,
    `its example costs     at most ${example_credits_max ?? "?"} credits`,
    `charges when refused  ${model.charges_on_policy_rejection}`,
    ...(model.unverified ?? []).map((sentence) => `not confirmed         ${sentence}`),
  ];
  return { data: { ...data, ...prices, definition: model }, text: lines.join("\n") };
}

// Without its credential it is not served, but it is still the best starting point for a custom one.
async function showShipped(name: string): Promise<CommandResult> {
  const definition = await shippedDefinition(name);
  if (!definition)
    throw new UsageProblem([
      `There is no provider ${name}. List definitions: atelier models list --definitions`,
      "Model ids include the provider, such as sandbox/image-1. List models: atelier models list",
    ]);
  const { credential } = definition;
  const setting = credential.kind === "none" ? "" : credential.setting;
  return {
    data: { provider: name, source: "built_in", version: null, definition },
    text: JSON.stringify(definition, null, 2),
    warnings: [`${name} ships with the server; set ${setting} to serve it.`],
  };
}

async function put(parts: Parts, value: ProviderDefinition): Promise<CommandResult> {
  const { provider, credential } = value;
  const { version, isNew } = await parts.catalog.put({ provider, value, expected: { kind: "any" } }, commandLine);
  const warnings =
    credential.kind === "none" || parts.hasCredential(value)
      ? []
      : [
          `Its models answer 404 until the server has a credential: set ${credential.setting} and restart it, or enter it in the console under Providers.`,
        ];
  const text = `${isNew ? "Stored" : "Replaced"} ${provider}, version ${version}. Running servers use it within 2 seconds.`;
  return { data: { provider, version, is_new: isNew }, text, warnings };
}

async function remove({ catalog }: Parts, provider: string): Promise<CommandResult> {
  await catalog.remove(provider, { kind: "any" }, commandLine);
  return {
    data: { provider, removed: true },
    text: `Removed ${provider}. If a file defines this provider, it is used again.`,
  };
}

async function deprecate(parts: Parts, { id, deprecatedAt, sunsetAt }: Retirement): Promise<CommandResult> {
  await parts.catalog.retire(id, { deprecatedAt, sunsetAt }, commandLine);
  const text =
    deprecatedAt === null
      ? `${id} is no longer deprecated, unless its definition says so.`
      : `${id} is deprecated${sunsetAt === null ? "" : ` and will be removed on ${sunsetAt.toISOString().slice(0, 10)}`}.`;
  return { data: { id, deprecated_at: deprecatedAt, sunset_at: sunsetAt }, text };
}

async function setRelease(
  parts: Parts,
  { id, released }: { readonly id: string; readonly released: boolean | null },
): Promise<CommandResult> {
  await parts.catalog.release(id, released, commandLine);
  const { providers } = await providersOf(parts);
  const isKnown = providers.some(({ provider, definition }) =>
    definition?.models.some((model) => `${provider}/${model.model}` === id),
  );
  const warnings = isKnown ? [] : [`No file or stored definition has ${id}; the setting applies once one does.`];
  const words = released === null ? "follows its definition" : released ? "is released" : "is not released";
  return { data: { id, release_override: released }, text: `${id} ${words}.`, warnings };
}

// Records a live check on the server that owns this data folder or database. If there is none, nothing is created.
async function recordVerified(config: Config, { provider, model }: VerifiedModel): Promise<boolean> {
  if (config.databaseUrl === null && !existsSync(join(config.home, "postgres"))) return false;
  return withinProcess(config, async ({ capabilities, storage }) => {
    const { audit } = await capabilities();
    const catalog = catalogIn(storage, audit, () => []);
    await catalog.verified(`${provider}/${model.model}`, model, systemClock.now(), commandLine);
    return true;
  });
}

// Running servers look for changes by themselves.
function catalogIn(
  { database }: Storage,
  audit: Audit,
  targetProblems: ProviderCredentials["targetProblems"],
): ProviderCatalog {
  const checks = { ...priceChecks, targetProblems };
  return createProviderCatalog({ database, audit, checks, changed: async () => undefined });
}
