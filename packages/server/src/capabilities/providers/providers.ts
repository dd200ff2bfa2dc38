// The providers of this server: definitions from files and from the admin API, made ready once per change. A model is
// served when it is released and its provider's credential is configured; whatever is not served is absent everywhere.
import type { Clock } from "../../foundation/clock.ts";
import { compileSchema } from "../../foundation/schema.ts";
import type { Secret } from "../../foundation/settings.ts";
import { credentialHeaders } from "./credential.ts";
import { type ModelDefinition, ProviderDefinition } from "./definition.ts";
import { compileInput, schemaDocumentOf, schemaProblems } from "./input-schema.ts";
import type { ServedModel } from "./served-model.ts";

export interface ProvidersDeps {
  readonly clock: Clock;
  // The configured credential of a setting's name, bound to the origin it was entered for.
  credentialOf(setting: string): Secret | null;
  // What else must hold for a definition, in words: its price.
  priceProblems(price: unknown): readonly string[];
}

export type CheckedDefinition =
  | { readonly ok: true; readonly definition: ProviderDefinition }
  | { readonly ok: false; readonly problems: readonly string[] };

export function checkDefinition(deps: Pick<ProvidersDeps, "priceProblems">, value: unknown): CheckedDefinition {
  const shape = compileSchema(ProviderDefinition);
  if (!shape.accepts(value)) {
    return {
      ok: false,
      problems: shape.violations(value).map(({ path, message }) => `${path || "the definition"} ${message}`),
    };
  }
  const problems = value.models.flatMap((model) => modelProblems(deps, value.provider, model));
  const names = value.models.map((model) => model.model);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  problems.push(...twice.map((name) => `${value.provider}/${name} is defined twice`));
  return problems.length === 0 ? { ok: true, definition: value } : { ok: false, problems };
}

function modelProblems(deps: Pick<ProvidersDeps, "priceProblems">, provider: string, model: ModelDefinition): string[] {
  const id = `${provider}/${model.model}`;
  const about = (problem: string) => `${id}: ${problem}`;
  const problems = [...schemaProblems(model.input_schema), ...deps.priceProblems(model.price)];
  // Decisions, section 3: the schema document's name is no model.
  if (model.model === "openapi.json") problems.push("openapi.json is reserved");
  if (model.recovery === "repeat") problems.push("recovery by repeating is not supported: say `ask` or `neither`");
  if (model.recovery === "ask" && !model.ask) problems.push("recovery by asking needs `ask`");
  if (model.poll && model.poll.path === undefined && model.poll.url === undefined)
    problems.push("poll needs a path or a url");
  return problems.map(about);
}

export function serveModels(
  deps: ProvidersDeps,
  definition: ProviderDefinition,
  isReleased: (id: string, own: boolean) => boolean,
): ServedModel[] {
  const { credential } = definition;
  const secret = credential.kind === "none" ? null : deps.credentialOf(credential.setting);
  if (credential.kind !== "none" && secret === null) return [];
  return definition.models
    .filter((model) => isReleased(`${definition.provider}/${model.model}`, model.released))
    .map((model) => {
      const id = `${definition.provider}/${model.model}`;
      const schemaDocument = schemaDocumentOf(id, model);
      return {
        id,
        provider: definition.provider,
        definition: model,
        baseUrl: definition.base_url.replace(/\/+$/, ""),
        referenceHeader: definition.reference_header ?? null,
        credentialHeaders: () => credentialHeaders(credential, secret, deps.clock),
        schema: model.input_schema === null ? null : compileInput(schemaDocument, id),
        schemaDocument,
      };
    });
}
