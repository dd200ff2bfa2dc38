// `atelier models`: provider definitions and releases from the machine itself, straight in the database. Running servers
// notice a change within two seconds. It sees stored definitions, files, and those shipped ones whose credential is
// configured; not what a running server brings itself (the sandbox), whose releases can be set all the same.
import { creditsText, holdBound, priceOf, priceWords, validatePrice } from "../../capabilities/prices/index.ts";
import {
  checkDefinition,
  createProviderCatalog,
  type EffectiveProvider,
  effectiveProviders,
  isReleased,
  type ProviderCatalog,
  type ProviderDefinition,
  problemText,
  type SourcedDefinition,
} from "../../capabilities/providers/index.ts";
import { Secret } from "../../foundation/settings.ts";
import { readProviderFiles } from "../build/build-providers.ts";
import { checkModels } from "../build/check-models.ts";
import { readJsonFile } from "../build/json-file.ts";
import { priceChecks } from "../build/price-checks.ts";
import { createProviderCredentials, type ProviderCredentials, providerSecrets } from "../build/provider-credentials.ts";
import { shippedDefinition, shippedProviders } from "../build/shipped-providers.ts";
import { isDevelopment } from "../development.ts";
import { type Command, type CommandResult, readCommand, UsageProblem } from "./command.ts";
import { commandLine, withinProcess } from "./within-process.ts";

const releaseWords: Readonly<Record<string, boolean | null>> = { on: true, off: false, default: null };
const modelIdShape = /^[a-z0-9]+([._-][a-z0-9]+)*\/[a-z0-9]+([._-][a-z0-9]+)*$/;

interface Parts {
  readonly catalog: ProviderCatalog;
  readonly files: readonly ProviderDefinition[];
  readonly shipped: readonly ProviderDefinition[];
  readonly credentials: ProviderCredentials;
  readonly creditsPerUsd: number;
}

export const modelsCommand: Command = {
  async run(listed, input) {
    const command = readCommand(listed, input);
    const { config, verb, words } = command;
    if (verb === "check") return checkModels(command, input);
    const [word = "", state = ""] = words;
    // Read before the database is opened: a wrong call is refused at once.
    const release = verb === "release" ? readRelease(word, state) : null;
    const value = verb === "put" ? await readDefinition(word) : null;
    const files = await readProviderFiles(config.providers);
    const secrets = providerSecrets(input.env, (text) => new Secret(text));
    const shipped = await shippedProviders((setting) => secrets.has(setting));
    const credentials = createProviderCredentials({
      secrets,
      own: [...files, ...shipped],
      isLocal: isDevelopment(config),
    });
    return withinProcess(config, async ({ capabilities, storage }) => {
      const { audit } = await capabilities();
      const checks = { ...priceChecks, targetProblems: credentials.targetProblems };
      const catalog = createProviderCatalog({
        database: storage.database,
        audit,
        checks,
        changed: async () => undefined,
      });
      const parts: Parts = { catalog, files, shipped, credentials, creditsPerUsd: config.creditsPerUsd };
      if (value) return put(parts, value);
      if (release) return setRelease(parts, release);
      if (verb === "remove") return remove(parts, word);
      return verb === "show" ? show(parts, word) : list(parts);
    });
  },
};

function readRelease(id: string, state: string): { readonly id: string; readonly released: boolean | null } {
  if (!modelIdShape.test(id)) throw new UsageProblem(["Name the model by its id, such as sandbox/image-1."]);
  const released = Object.hasOwn(releaseWords, state) ? releaseWords[state] : undefined;
  if (released === undefined) throw new UsageProblem(["Say on, off or default."]);
  return { id, released };
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
  const { definitions, releases } = await catalog.snapshot();
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
  return { providers: effectiveProviders([...stored, ...own]), releases };
}

async function list(parts: Parts): Promise<CommandResult> {
  const { providers, releases } = await providersOf(parts);
  const data = providers.flatMap((provider) =>
    (provider.definition?.models ?? []).map((model) => {
      const id = `${provider.provider}/${model.model}`;
      return {
        id,
        source: provider.source,
        version: provider.version,
        released: isReleased(releases, id, model.released),
        release_override: releases.get(id) ?? null,
        ...pricesOf(parts, model),
      };
    }),
  );
  const rows = data.map((model) => [
    model.id,
    model.source,
    model.version === null ? null : String(model.version),
    model.released ? "yes" : "no",
    model.release_override === null ? "definition" : "operator",
    model.example_credits_max,
    shortened(model.price_credits),
  ]);
  const warnings = providers
    .filter(({ definition }) => definition === null)
    .map(({ provider }) => `The stored definition of ${provider} cannot be read by this version.`);
  const columns = ["model", "source", "version", "released", "by", "example at most", "credits"];
  const empty =
    "No definitions. Those that ship with the server count once their variable is set: atelier models show bfl";
  return { data, text: { columns, rows, empty }, warnings };
}

// The catalog that callers see never shows a price (Spec, Router); the operator reads it here.
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

// One model with what it costs, which the catalog does not tell.
async function showModel(parts: Parts, id: string): Promise<CommandResult> {
  const { providers, releases } = await providersOf(parts);
  const found = providers.find(({ provider }) => id.startsWith(`${provider}/`));
  const model = found?.definition?.models.find((each) => `${found.provider}/${each.model}` === id);
  if (!found || !model) throw new UsageProblem([`There is no model ${id} with a credential: atelier models list`]);
  const prices = pricesOf(parts, model);
  const data = { id, source: found.source, version: found.version, released: isReleased(releases, id, model.released) };
  const { price_credits, example_credits_max } = prices;
  const lines = [
    `model                 ${id}`,
    `source                ${found.source}${found.version === null ? "" : `, version ${found.version}`}`,
    `released              ${data.released ? "yes" : "no"}`,
    `price in credits      ${price_credits ?? "cannot be read"}`,
    `its example costs     at most ${example_credits_max ?? "?"} credits`,
    `charges when refused  ${model.charges_on_policy_rejection}`,
    ...(model.unverified ?? []).map((sentence) => `not confirmed         ${sentence}`),
  ];
  return { data: { ...data, ...prices, definition: model }, text: lines.join("\n") };
}

// Without its credential it is not served, and still the best beginning for one's own.
async function showShipped(name: string): Promise<CommandResult> {
  const definition = await shippedDefinition(name);
  if (!definition)
    throw new UsageProblem([
      `There is no definition of a provider ${name}: atelier models list --definitions`,
      `A model is named with its provider, such as sandbox/${name}: atelier models list`,
    ]);
  const { credential } = definition;
  const setting = credential.kind === "none" ? "" : credential.setting;
  return {
    data: { provider: name, source: "built_in", version: null, definition },
    text: JSON.stringify(definition, null, 2),
    warnings: [`${name} ships with the server and is served once ${setting} is set.`],
  };
}

async function put({ catalog }: Parts, value: ProviderDefinition): Promise<CommandResult> {
  const { provider } = value;
  const { version, isNew } = await catalog.put({ provider, value, expected: { kind: "any" } }, commandLine);
  const text = `${isNew ? "Stored" : "Replaced"} ${provider}, version ${version}. Running servers take it up within 2 seconds.`;
  return { data: { provider, version, is_new: isNew }, text };
}

async function remove({ catalog }: Parts, provider: string): Promise<CommandResult> {
  await catalog.remove(provider, { kind: "any" }, commandLine);
  return { data: { provider, removed: true }, text: `Removed ${provider}. A file of the same provider counts again.` };
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
  const warnings = isKnown ? [] : [`${id} stands in no file and no stored definition; the word is kept for it.`];
  const words = released === null ? "follows its definition" : released ? "is released" : "is taken back";
  return { data: { id, release_override: released }, text: `${id} ${words}.`, warnings };
}
