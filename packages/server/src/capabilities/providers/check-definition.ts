// Checks whether a definition can be served, for files and the admin API alike. It reports every problem with its field,
// so that an operator fixes a definition once and not line by line.

import { type CompiledSchema, compileSchema, type Violation } from "../../foundation/json/schema.ts";
import { pointerSegment } from "../../foundation/json-pointer.ts";
import { attempt } from "../../foundation/retry.ts";
import {
  Credential,
  locationRule,
  type ModelDefinition,
  type PollDefinition,
  ProviderDefinition,
  patternWords,
  pointerWords,
} from "./definition.ts";
import { type DefinitionProblem, problemText } from "./definition-problem.ts";
import { buildSchemaDocument, compileInput, schemaProblems } from "./input-schema.ts";
import { answersJson } from "./output-schema.ts";
import { reservedFor } from "./reserved-names.ts";

export interface DefinitionChecks {
  // Problems of the price, in words.
  priceProblems(price: unknown): readonly string[];
}

export type CheckedDefinition =
  | { readonly ok: true; readonly definition: ProviderDefinition }
  | { readonly ok: false; readonly fields: readonly DefinitionProblem[]; readonly problems: readonly string[] };

export function checkDefinition(checks: DefinitionChecks, value: unknown): CheckedDefinition {
  const shape = compileSchema(ProviderDefinition);
  if (!shape.accepts(value))
    return refused(shape.violations(value).flatMap((violation) => spelledOut(violation, value)));
  const problems = [
    ...reservedProblems(value),
    ...retirementProblems(value),
    ...addressProblems(value),
    ...headersProblems(value.headers, "/headers"),
    ...(value.workspace_credentials && value.credential.kind === "none"
      ? [{ path: "/workspace_credentials", message: "needs a credential that a workspace could supply" }]
      : []),
    ...value.models.flatMap((model, index) => modelProblems(checks, value, model, index)),
  ];
  return problems.length === 0 ? { ok: true, definition: value } : refused(problems);
}

function reservedProblems({ provider }: ProviderDefinition): DefinitionProblem[] {
  const message = reservedFor(provider);
  return message === null ? [] : [{ path: "/provider", message }];
}

function refused(fields: readonly DefinitionProblem[]): CheckedDefinition {
  return { ok: false, fields, problems: fields.map(problemText) };
}

// Turns patterns into words. For a credential of a known kind it names the exact field that is wrong.
function spelledOut(violation: Violation, definition: unknown): DefinitionProblem[] {
  const { path } = violation;
  const message = isLocation.test(path) && violation.keyword === "anyOf" ? locationRule : inWords(violation.message);
  const credential: unknown =
    path === "/credential" && typeof definition === "object" && definition !== null
      ? Reflect.get(definition, "credential")
      : null;
  const kind: unknown = typeof credential === "object" && credential !== null ? Reflect.get(credential, "kind") : null;
  const branch = Credential.anyOf.find(({ properties }) => properties.kind.const === kind);
  if (branch)
    return compileSchema(branch)
      .violations(credential)
      .map((inner) => ({ path: `/credential${inner.path}`, message: inWords(inner.message) }));
  if (typeof kind !== "string") return [{ path, message }];
  const kinds = Credential.anyOf.map(({ properties }) => `"${properties.kind.const}"`);
  return [{ path: "/credential/kind", message: `must be one of ${kinds.join(", ")}` }];
}

const isLocation = /\/(?:poll\/(?:handle|url|fetch\/url)|usage\/[^/]+)$/;

function inWords(message: string): string {
  const [, pattern = ""] = /^must match pattern "(.*)"/.exec(message) ?? [];
  // The pointers of a price have a stricter pattern.
  return patternWords.get(pattern) ?? (pattern.startsWith("^(/") ? pointerWords : message);
}

// The price's own checks name their locations with dots.
function priceProblem(location: string, problem: string): DefinitionProblem {
  const [, inner, message] = /^(usd\S*) (.+?)\.?$/.exec(problem) ?? [];
  return inner === undefined || message === undefined
    ? { path: location, message: problem }
    : { path: `${location}/${inner.replaceAll(".", "/")}`, message: inWords(message) };
}

function retirementProblems({ models }: ProviderDefinition): DefinitionProblem[] {
  return models.flatMap(({ deprecated_at, sunset_at }, index) =>
    sunset_at !== undefined && (deprecated_at === undefined || sunset_at <= deprecated_at)
      ? [{ path: `/models/${index}/sunset_at`, message: "needs a deprecated_at before it" }]
      : [],
  );
}

function addressProblems({ base_url }: ProviderDefinition): DefinitionProblem[] {
  const url = URL.parse(base_url);
  const path = "/base_url";
  if (url === null) return [{ path, message: "must be a URL" }];
  if (url.username !== "" || url.password !== "" || base_url.includes("@"))
    return [{ path, message: "must not contain a credential: name a setting in /credential" }];
  if (url.search !== "" || url.hash !== "") return [{ path, message: "must have no query and no fragment" }];
  return [];
}

function modelProblems(
  checks: DefinitionChecks,
  { provider, base_url, models }: ProviderDefinition,
  model: ModelDefinition,
  index: number,
): DefinitionProblem[] {
  const location = `/models/${index}`;
  const found: DefinitionProblem[] = [];
  const say = (field: string, message: string) => found.push({ path: `${location}${field}`, message });
  if (models.findIndex((other) => other.model === model.model) !== index)
    say("/model", `${provider}/${model.model} is defined twice`);
  // Decisions, section 3: the name of the schema document cannot be a model.
  if (model.model === "openapi.json") say("/model", "openapi.json is reserved");
  if (model.recovery === "repeat") say("/recovery", "must be `ask` or `neither`: repeating is not supported");
  if (model.recovery === "ask" && !model.ask) say("/ask", "is required with recovery `ask`");
  if (model.poll && model.poll.path === undefined && model.poll.url === undefined)
    say("/poll", "needs a path or a url");
  if (model.poll && model.poll.handle === undefined && pathsOf(model.poll).some((path) => path.includes("{handle}")))
    say("/poll/handle", "is required: a path contains {handle}");
  if (model.keep_outputs && !model.result) say("/keep_outputs", "needs `result`: where the addresses of files are");
  if (model.cancel && !model.poll?.cancelled)
    say("/cancel", "needs poll/cancelled: without it nobody sees that a task was cancelled");
  if (model.cancel?.path.includes("{handle}") && model.poll?.handle === undefined)
    say("/poll/handle", "is required: the path of cancel contains {handle}");
  if (model.stream && model.poll) say("/stream", "cannot be combined with poll: a queued answer is not streamed");
  for (const [at, step] of (model.stream?.whole ?? []).entries())
    if ((step.from === undefined) === (step.value === undefined))
      say(`/stream/whole/${at}`, "needs either `from` or `value`");
  if (model.poll?.fetch && model.poll.fetch.path === undefined && model.poll.fetch.url === undefined)
    say("/poll/fetch", "needs a path or a url");
  for (const [at, rule] of (model.rules ?? []).entries())
    if (rule.when.without_result && !model.result)
      say(`/rules/${at}/when/without_result`, "needs the model's `result`");
  for (const [at, host] of (model.poll?.hosts ?? []).entries()) {
    // Spelled as in a URL, so that we can compare it with one.
    if (URL.parse(`${URL.parse(base_url)?.protocol ?? "https:"}//${host}`)?.host !== host.toLowerCase())
      say(`/poll/hosts/${at}`, "must be a host, with its port if it is not the scheme's default");
  }
  found.push(...checks.priceProblems(model.price).map((problem) => priceProblem(`${location}/price`, problem)));
  found.push(...headersProblems(model.submit.headers, `${location}/submit/headers`));
  const schema = schemaProblems(model.input_schema, `${location}/input_schema`);
  found.push(...schema);
  const id = `${provider}/${model.model}`;
  const isChecked = schema.length === 0 && model.input_schema !== null;
  if (isChecked && !compiles(() => compileInput(buildSchemaDocument(id, model), id)))
    say("/input_schema", "cannot be compiled as a JSON Schema");
  found.push(...outputProblems(model, `${location}/output_schema`));
  return found;
}

// A reference would resolve against the surrounding document, and an answer that is never JSON has no schema.
function outputProblems(model: ModelDefinition, path: string): DefinitionProblem[] {
  const { output_schema: schema } = model;
  if (schema === undefined) return [];
  if (!answersJson(model))
    return [{ path, message: "describes JSON, but `output_types` says that the answer is not JSON" }];
  const found = schemaProblems(schema, path, { isSelfContained: true });
  if (found.length > 0 || compiles(() => compileSchema(schema))) return found;
  return [{ path, message: "cannot be compiled as a JSON Schema" }];
}

function pathsOf({ path, fetch }: PollDefinition): string[] {
  return [path, fetch?.path].filter((each) => each !== undefined);
}

const credentialNames = /authori[sz]ation|cookie|api-?key|secret|password|(?:^|-)token$/i;
const transportNames = /^(?:host|connection|content-length|transfer-encoding|content-encoding|expect|upgrade|te)$/i;

function headersProblems(headers: Readonly<Record<string, string>> | undefined, location: string): DefinitionProblem[] {
  return Object.entries(headers ?? {}).flatMap(([name, value]) => {
    const message = headerProblem(name, value);
    return message === null ? [] : [{ path: `${location}/${pointerSegment(name)}`, message }];
  });
}

// Every operator sees fixed headers, so they must not contain secrets.
function headerProblem(name: string, value: string): string | null {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/.test(name)) return "is not a header name";
  if (credentialNames.test(name)) return "must not contain a credential: name a setting in /credential";
  if (transportNames.test(name)) return "belongs to the connection and cannot be set";
  return /^[\t\x20-\x7e]{0,1000}$/.test(value) ? null : "must be printable ASCII";
}

const compiles = (compile: () => CompiledSchema<object>): boolean =>
  attempt(() => compile().accepts({}), null) !== null;
