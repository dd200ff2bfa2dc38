// Everything about a version that can be known before its examples run: the graph with works inside it expanded and its files
// named, the complete form, the examples as graphs, what it needs, and a fingerprint by which the same is recognised again.
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { Fault } from "../../../foundation/fault.ts";
import { writeExactJson } from "../../../foundation/json/exact-json.ts";
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import { isRecord, type JsonRecord, memberOf } from "../../../foundation/json/json-record.ts";
import { type JsonReader, nextTurn } from "../../../foundation/json/large-json.ts";
import type { FieldProblem } from "../../../foundation/json/schema.ts";
import type { AssetId } from "../../assets/index.ts";
import { type Graphs, graphText } from "../../graphs/index.ts";
import type { SavedWorkflows, WorkflowId } from "../../saved-workflows/index.ts";
import { checkForm } from "../form/check-form.ts";
import { completeForm, graphDefault } from "../form/complete-form.ts";
import { readDocumentForm, withoutDocumentForm } from "../form/document-form.ts";
import { exactValue } from "../form/exact-values.ts";
import { fillGraph } from "../form/fill-graph.ts";
import { isFileInput, valueProblem } from "../form/form-values.ts";
import { randomBelow } from "../form/random-below.ts";
import { formFault, readForm, readFormText, writeForm } from "../form/read-form.ts";
import { suggestInSteps } from "../form/suggest-form.ts";
import type { WorkForm } from "../form/work-form.ts";
import { isAppModeOf } from "../form/write-app-mode.ts";
import { resolveFiles, withComingFiles } from "./lacking-files.ts";
import type { PublishingPorts, WorkCaller } from "./publishing-ports.ts";
import { recordNeeds } from "./work-needs.ts";
import type { NewWorkVersion } from "./work-write-store.ts";

export interface GivenExample {
  readonly title: string | null;
  readonly inputs: JsonDocument;
}

export interface PrepareRequest {
  readonly modelId: string;
  readonly workflowId: WorkflowId;
  // Null for the latest.
  readonly workflowVersion: number | null;
  // Null for the one published last or, if there is none that fits, a suggestion.
  readonly form: JsonDocument | null;
  // Null for one run with the defaults.
  readonly examples: readonly GivenExample[] | null;
}

export interface PreparedExample {
  readonly title: string | null;
  readonly inputs: JsonRecord;
  readonly graph: Buffer;
}

export interface PreparedVersion
  extends Pick<NewWorkVersion, "workflowVersion" | "graph" | "form" | "needs" | "fingerprint"> {
  readonly workflowId: WorkflowId;
  readonly examples: readonly PreparedExample[];
  // Files of the graph and of the examples, to be kept with it.
  readonly fileIds: readonly AssetId[];
}

export interface PrepareDeps {
  readonly saved: Pick<SavedWorkflows, "document">;
  readonly graphs: Pick<Graphs, "classes" | "ready">;
  readonly json: Pick<JsonReader, "read">;
  readonly ports: PublishingPorts;
  // The version that was published last from this workflow.
  lastPublished(
    workspaceId: WorkCaller["workspaceId"],
    workflowId: string,
  ): Promise<{ readonly form: string; readonly graph: Buffer } | null>;
}

// As for a submission: room for 10,000 nodes with 25 inputs each.
const reading = { limits: { keysMax: 250_000, valuesMax: 1_000_000, exactMax: 10_000 }, unhashed: null };

export async function prepareVersion(
  deps: PrepareDeps,
  caller: WorkCaller,
  request: PrepareRequest,
): Promise<PreparedVersion> {
  const { workspaceId } = caller;
  const { ports } = deps;
  await deps.graphs.ready?.();
  const classes = deps.graphs.classes();
  const source = await readSource(deps, caller, request);
  const given = request.form === null ? await chooseForm(deps, caller, request, source) : readForm(request.form);
  const { modelId } = request;
  const expanded = await ports.expand({ workspaceId, modelId, graph: source.graph, form: given });
  const { graph: resolved, files } = await resolveFiles(ports, workspaceId, expanded.graph, expanded.form);
  const graph: JsonDocument = { value: resolved, exactIntegers: expanded.graph.exactIntegers };
  const problems = checkForm(expanded.form, graph, classes);
  if (problems.length > 0) throw formFault(problems);
  const form = completeForm(expanded.form, graph, classes);
  const examples = await checkedExamples(deps, caller, { examples: request.examples, form, graph });
  const text = graphText(resolved, graph.exactIntegers);
  const formText = writeForm(form);
  return {
    workflowId: request.workflowId,
    workflowVersion: source.version,
    graph: text,
    form: formText,
    needs: await recordNeeds({ classes, ...ports }, { graph: resolved, files, works: expanded.works }),
    fingerprint: fingerprintOf(text, formText, request.examples),
    examples: examples.map(({ title, inputs, graph: filled }) => ({ title, inputs, graph: filled })),
    fileIds: [...new Set([...files.map(({ id }) => id), ...examples.flatMap(({ fileIds }) => fileIds)])],
  };
}

// Without examples the work runs once with its defaults, unless it waits for a file that callers must give.
async function checkedExamples(
  { ports }: PrepareDeps,
  caller: WorkCaller,
  {
    examples: given,
    form,
    graph,
  }: Pick<PrepareRequest, "examples"> & { readonly form: WorkForm; readonly graph: JsonDocument },
): Promise<FilledExample[]> {
  const examples = (given ?? [defaultExample]).map((example, at) => fillExample(example, at, form, graph));
  const check = examples[0] ?? fillExample(defaultExample, 0, form, graph);
  const coming = given === null || given.length === 0 ? withComingFiles(graph, form) : null;
  try {
    await ports.checkGraph(caller, check.graph, { mayComeLater: false });
    return examples;
  } catch (thrown) {
    if (coming === null) throw thrown;
    const later = fillExample(defaultExample, 0, form, { ...graph, value: coming });
    await ports.checkGraph(caller, later.graph, { mayComeLater: true });
    return [];
  }
}

const defaultExample: GivenExample & { readonly isDefault: true } = {
  title: null,
  inputs: { value: {}, exactIntegers: new Map() },
  isDefault: true,
};

interface Source {
  readonly version: number;
  readonly graph: JsonDocument;
  // The form that is saved in the graph; null if there is none.
  readonly form: WorkForm | null;
}

async function readSource(
  deps: PrepareDeps,
  { workspaceId }: WorkCaller,
  { workflowId, workflowVersion }: PrepareRequest,
): Promise<Source> {
  const locator = { workspaceId, id: workflowId };
  const { version, document } = await deps.saved.document(locator, workflowVersion, "api");
  const graph = await deps.json.read(document, reading, workspaceId);
  const form = readDocumentForm(graph, false);
  return { version, graph: withoutDocumentForm(graph), form };
}

// The form that is saved in the document, as long as it fits. Otherwise a new version keeps the form of the last one as long as
// it fits; defaults that were the graph's own follow the graph.
async function chooseForm(
  deps: PrepareDeps,
  { workspaceId }: WorkCaller,
  { workflowId }: PrepareRequest,
  { version, graph, form: inGraph }: Source,
): Promise<WorkForm> {
  const classes = deps.graphs.classes();
  const stored = await deps.saved.document({ workspaceId, id: workflowId }, version, null);
  const document = stored.format === "editor" ? await deps.json.read(stored.document, reading, workspaceId) : null;
  const saved = document === null ? inGraph : readDocumentForm(document, true);
  const fitting = saved !== null && checkForm(saved, graph, classes).length === 0 ? saved : null;
  const isEdited = fitting !== null && document !== null && !isAppModeOf(document.value, fitting);
  if (fitting !== null && !isEdited) return fitting;
  const published = fitting === null ? await deps.lastPublished(workspaceId, workflowId) : null;
  if (published !== null) {
    const before = withoutDefaultsOf(
      await deps.json.read(published.graph, reading, workspaceId),
      readFormText(published.form),
    );
    if (checkForm(before, graph, classes).length === 0) return before;
  }
  const known = fitting === null ? null : ({ form: fitting, from: "edited" } as const);
  const { form } = await suggestInSteps({ graph, document, classes, known }, nextTurn);
  if (form.outputs.length > 0) return form;
  throw formFault([{ path: "/form/outputs", message: "is empty: the workflow saves and shows nothing" }]);
}

// Without the defaults that were this graph's own values.
export function withoutDefaultsOf(graph: JsonDocument, form: WorkForm): WorkForm {
  const inputs = form.inputs.map((input) => {
    const { default: standard, ...rest } = input;
    return isDeepStrictEqual(standard, graphDefault(graph, input)) ? rest : input;
  });
  return { ...form, inputs };
}

interface FilledExample extends PreparedExample {
  readonly fileIds: readonly AssetId[];
}

// Inputs that callers must give may be missing in the run with the defaults: the graph has its own values.
function fillExample(example: GivenExample, at: number, form: WorkForm, graph: JsonDocument): FilledExample {
  const inputs = exactValue(example.inputs);
  const given = isRecord(inputs) ? inputs : {};
  const problems = exampleProblems(given, form, "isDefault" in example);
  if (problems.length > 0) throw exampleFault(problems, at);
  const files = new Map(
    form.inputs.flatMap((input) => {
      const value = memberOf(given, input.name);
      return isFileInput(input) && typeof value === "string" ? [[input.name, value]] : [];
    }),
  );
  const filled = fillGraph({ graph, form, inputs: given, random: randomBelow, files });
  return {
    title: example.title,
    inputs: filled.inputs,
    graph: graphText(filled.graph, filled.exactIntegers),
    fileIds: [...files.values()] as AssetId[],
  };
}

function exampleProblems(given: JsonRecord, form: WorkForm, isDefault: boolean): FieldProblem[] {
  const names = new Set(form.inputs.map(({ name }) => name));
  const unknown = Object.keys(given).filter((name) => !names.has(name));
  const wrong = form.inputs.flatMap((input): FieldProblem[] => {
    const value = memberOf(given, input.name);
    if (value === undefined)
      return input.required === true && !isDefault ? [{ path: `/${input.name}`, message: "is missing" }] : [];
    const isAddress = isFileInput(input) && typeof value === "string" && /^(https:|data:)/.test(value);
    const problem = isAddress ? "must be the id of an asset in an example" : valueProblem(input, value);
    return problem === null ? [] : [{ path: `/${input.name}`, message: problem }];
  });
  return [...unknown.map((name) => ({ path: `/${name}`, message: "is not an input of the form" })), ...wrong];
}

function exampleFault(problems: readonly FieldProblem[], at: number): Fault {
  const placed = problems.map(({ path, message }) => ({ path: `/examples/${at}/inputs${path}`, message }));
  const named = placed.slice(0, 20).map(({ path, message }) => `${path.slice(1)} ${message}`);
  return new Fault("validation_failed", `An example is not valid: ${named.join("; ")}.`, { details: placed });
}

function fingerprintOf(graph: Buffer, form: string, examples: readonly GivenExample[] | null): Buffer {
  const given = examples?.map(({ title, inputs }) => ({ title, inputs: exactValue(inputs) })) ?? null;
  const hash = createHash("sha256");
  for (const part of [graph, Buffer.from(form), Buffer.from(writeExactJson(given))])
    hash.update(`${part.byteLength}\n`).update(part);
  return hash.digest();
}
