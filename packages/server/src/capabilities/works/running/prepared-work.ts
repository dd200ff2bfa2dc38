// A version of a work with everything prepared that its calls share. Versions never change, so a prepared one is kept.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";
import type { JsonReader } from "../../../foundation/json/large-json.ts";
import type { CatalogModel } from "../../model-calls/index.ts";
import { freePrice } from "../../prices/index.ts";
import { buildSchemaDocument, compileInput, type ModelDefinition, type ModelRunner } from "../../providers/index.ts";
import { formSchema } from "../form/form-schema.ts";
import { readFormText } from "../form/read-form.ts";
import type { WorkForm } from "../form/work-form.ts";
import { type CallableWork, versionId } from "../publishing/published-work.ts";
import { answerSchema } from "./work-answer.ts";

export interface PreparedWork {
  readonly work: CallableWork;
  // With the version.
  readonly id: string;
  readonly graph: JsonDocument;
  readonly form: WorkForm;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export type PrepareWork = (work: CallableWork) => Promise<PreparedWork>;

const keptMax = 500;
const keptBytesMax = 64 * 1024 * 1024;
const readLimits = { limits: { keysMax: 250_000, valuesMax: 250_000, exactMax: 10_000 }, unhashed: null };

export function workPreparer(json: Pick<JsonReader, "read">): PrepareWork {
  const kept = new BoundedMap<string, PreparedWork>(keptMax, {
    bytesMax: keptBytesMax,
    bytesOf: ({ work }) => 4 * work.graph.byteLength + 4 * work.form.length,
  });
  return async (work) => {
    const key = `${work.workId} ${work.version}`;
    const known = kept.get(key);
    // Titles and dates may have changed.
    if (known) return { ...known, work };
    const graph = await json.read(work.graph, readLimits, work.ownerId);
    const form = readFormText(work.form);
    const prepared = { work, id: versionId(work.modelId, work.version), graph, form, inputSchema: formSchema(form) };
    kept.set(key, prepared);
    return prepared;
  };
}

// `id` as the caller wrote it, with or without a version.
export function workModel(prepared: PreparedWork, id: string, runner: ModelRunner): CatalogModel {
  const { work } = prepared;
  const schemas = { input_schema: prepared.inputSchema, output_schema: answerSchema(prepared.form) };
  const definition = { ...definitionOf(id, schemas, work), kind: kindOf(prepared) };
  // The document's title is the id.
  const { title: _, ...described } = definition;
  const schemaDocument = buildSchemaDocument(id, described);
  const { deprecatedAt, sunsetAt } = work;
  return {
    ...bareModel(id, definition, runner),
    definitionVersion: work.version,
    marks: { deprecatedAt, sunsetAt, verifiedAt: null },
    schema: compileInput(schemaDocument, id),
    schemaDocument,
  };
}

const kinds = [
  ["video", /video|webm|animated/i],
  ["audio", /audio|sound/i],
  ["image", /image|mask|picture/i],
  ["text", /text|string/i],
] as const;

// What its first output node saves, by the name of the node's class.
function kindOf({ graph, form }: PreparedWork): NonNullable<ModelDefinition["kind"]> {
  const nodes = isRecord(graph.value) ? graph.value : {};
  const output = nodes[form.outputs[0]?.node ?? ""];
  const classType = isRecord(output) ? String(output["class_type"]) : "";
  return kinds.find(([, pattern]) => pattern.test(classType))?.[0] ?? "other";
}

// Enough to end a call that lost its process, whether the work still exists or not.
export function followedModel(id: string, version: number | null, runner: ModelRunner): CatalogModel {
  return { ...bareModel(id, definitionOf(id, { input_schema: null }), runner), definitionVersion: version };
}

function bareModel(id: string, definition: ModelDefinition, runner: ModelRunner): CatalogModel {
  return {
    id,
    provider: id.slice(0, id.indexOf("/")),
    runner,
    definition,
    definitionVersion: null,
    baseUrl: "",
    headers: {},
    referenceHeader: null,
    ownCredentialHosts: null,
    credentialHeaders: () => ({}),
    schema: null,
    schemaDocument: {},
    price: freePrice,
    priceRecordId: null,
  };
}

const longestRunSeconds = 86_400;

function definitionOf(
  id: string,
  schemas: Pick<ModelDefinition, "input_schema" | "output_schema">,
  { title, description }: Pick<CallableWork, "title" | "description"> = { title: null, description: null },
): ModelDefinition {
  const name = id.slice(id.indexOf("/") + 1);
  return {
    model: name,
    title: title ?? name,
    ...(description === null ? {} : { description }),
    released: true,
    submit: { path: "/", encoding: "json" },
    // Its nodes pay.
    price: null,
    // A model that its nodes call may charge for a refusal.
    charges_on_policy_rejection: "unknown",
    recovery: "ask",
    longest_run_seconds: longestRunSeconds,
    ...schemas,
  };
}
