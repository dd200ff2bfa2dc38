// `atelier models list|show|schema|run|types`: what a server offers, and one call of a model.
import type { ModelDetail } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { replaceFile } from "../files/keep-file.ts";
import { requireFile } from "../files/output-path.ts";
import { take } from "../files/take.ts";
import { jsonText } from "../json-text.ts";
import { wrongCall } from "../read-call.ts";
import { type Asked, overHttp } from "../server/over-http.ts";
import { inParallel } from "../terminal/in-parallel.ts";
import { callableWorks } from "../works/callable-works.ts";
import { inputFields, typeText } from "./model-schema.ts";
import { modelTypes } from "./model-types.ts";
import { runModel } from "./run-model.ts";

export const modelsCommand = overHttp({
  list,
  types,
  show: ofModel(show),
  schema: ofModel(schema),
  run: ofModel(runModel),
});

function ofModel(run: (asked: Asked) => Promise<CommandResult>) {
  return async (asked: Asked): Promise<CommandResult> => {
    if (!/^[^/\s]+\/[^/\s]+$/.test(asked.call.words[0] ?? ""))
      throw wrongCall("models", ["Pass a model id, such as sandbox/image-1; to list models: atelier models list"]);
    return run(asked);
  };
}

// Works come without a price: it depends on what their nodes call, and --dry-run says it.
async function list({ atelier }: Asked): Promise<CommandResult> {
  const described = await atelier.models.described();
  const works = await callableWorks(atelier, worksMax);
  const rows = described.map(({ id, title, kind, price, deprecated_at }) => [
    id,
    `${title ?? ""}${deprecated_at === undefined ? "" : " (deprecated)"}`,
    kind ?? null,
    price === "0" ? "free" : shortened(price),
  ]);
  return {
    data: [...described, ...works],
    text: {
      columns: ["model", "title", "makes", "credits"],
      rows: [...rows, ...works.map(({ id }) => [id, "a work", null, null])],
    },
  };
}

const worksMax = 1_000;

async function show({ call, atelier }: Asked): Promise<CommandResult> {
  const [id = ""] = call.words;
  const model: ModelDetail = await atelier.models.get(id);
  const price = (await atelier.models.described()).find((each) => each.id === id)?.price;
  const about = model.input_schema_url === undefined ? "" : describe(await atelier.models.schema(id));
  const lines = [
    `model                 ${model.id}`,
    ...(model.title === undefined ? [] : [`title                 ${model.title}`]),
    ...(model.kind === undefined ? [] : [`makes                 ${model.kind}`]),
    ...(price === undefined ? [] : [`costs                 ${price === "0" ? "nothing" : `${price} credits`}`]),
    ...(model.deprecated_at === undefined ? [] : [`deprecated since      ${day(model.deprecated_at)}`]),
    ...(model.sunset_at === undefined ? [] : [`gone from             ${day(model.sunset_at)}`]),
    `verified              ${model.verified === null ? "never; based on documentation" : day(model.verified)}`,
    `charges when refused  ${model.billing.charges_on_policy_rejection}`,
    `input                 ${model.input_schema_url === undefined ? "not described" : `atelier models schema ${id}`}`,
    ...(about === "" ? [] : ["", about]),
  ];
  return { data: model, text: lines.join("\n") };
}

const day = (moment: string): string => moment.slice(0, 10);

function shortened(words: string): string {
  return words.length > 60 ? `${words.slice(0, 59)}…` : words;
}

function describe(document: Readonly<Record<string, unknown>>): string {
  const { info } = document;
  const text = typeof info === "object" && info !== null && "description" in info ? info.description : "";
  return typeof text === "string" ? text : "";
}

async function schema({ call, atelier }: Asked): Promise<CommandResult> {
  const document = await atelier.models.schema(call.words[0] ?? "");
  const fields = inputFields(document);
  if (call.has("document")) return { data: document, text: jsonText(document, 2) };
  const rows = fields.map(({ name, isRequired, schema: field }) => [
    name,
    typeText(field),
    isRequired ? "yes" : "no",
    field["default"] === undefined ? null : jsonText(field["default"]),
    typeof field["description"] === "string" ? field["description"] : null,
  ]);
  return { data: document, text: { columns: ["field", "type", "required", "default", "about"], rows } };
}

const readsAtOnce = 8;

async function types({ call, atelier }: Asked): Promise<CommandResult> {
  const target = call.text("output");
  if (target !== undefined) requireFile(target);
  const ids = call.words.length > 0 ? call.words : (await take(atelier.models.list(), 100_000)).map(({ id }) => id);
  const documents = new Map<string, unknown>();
  await inParallel(ids, readsAtOnce, async (id) => {
    documents.set(id, await atelier.models.schema(id));
  });
  const text = modelTypes(ids.map((id) => ({ id, document: documents.get(id) })));
  if (target === undefined) return { data: { types: text, models: ids }, text };
  const file = await replaceFile(target, text);
  return { data: { file, models: ids }, text: file };
}
