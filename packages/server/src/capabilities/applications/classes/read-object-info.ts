// Reads an application's `object_info` as class descriptions. What can be judged from outside is judged at submission, in
// the application's own words. What it may judge with its own code (custom classes, computed types, fetched lists)
// passes, because a wrong refusal could not be lifted.
import { createHash } from "node:crypto";
import {
  builtInClasses,
  type EditorClass,
  type InputDescription,
  type NodeClassDescription,
  type OutputDescription,
  readEditorClass,
} from "@atelier/engine";
import { isModelFile } from "../../jobs/index.ts";
import { isRecord, type JsonRecord, listAt, memberOf, recordAt, stringAt } from "../line/json-record.ts";
import type { ApplicationClasses, ClassSockets, FileInput, ModelInput } from "./application-classes.ts";

const classesMax = 50_000;
const inputsMax = 1_000;

// Null if it is not an object_info. Integers beyond 2^53 may be bigints.
export function readObjectInfo(value: unknown): ApplicationClasses | null {
  if (!isRecord(value)) return null;
  const described = new Map<string, NodeClassDescription>();
  const shown = new Map<string, EditorClass>();
  const judged = new Map<string, NodeClassDescription>();
  const sockets = new Map<string, ClassSockets>();
  const fileInputs = new Map<string, readonly FileInput[]>();
  const modelInputs = new Map<string, readonly ModelInput[]>();
  const fingerprints: [string, string][] = [];
  const said = new Map(Object.entries(value).slice(0, classesMax));
  const lists = sharedLists();
  for (const [name, entry] of said) {
    if (!isRecord(entry) || recordAt(entry, "input") === null) continue;
    const read = readClass(name, entry, lists);
    described.set(name, read.described);
    const seen = readEditorClass(name, entry);
    if (seen !== null) shown.set(name, seen);
    judged.set(name, read.judged);
    sockets.set(name, read.sockets);
    if (read.files.length > 0) fileInputs.set(name, read.files);
    if (read.models.length > 0) modelInputs.set(name, read.models);
    fingerprints.push([name, read.fingerprint]);
  }
  if (described.size === 0) return null;
  const inputs = { fileInputs, modelInputs };
  return { said, described, shown, judged, sockets, ...inputs, fingerprints: Object.fromEntries(fingerprints) };
}

interface RawInput {
  readonly name: string;
  readonly isOptional: boolean;
  // COMBO for a list of choices.
  readonly type: string;
  readonly choices: readonly unknown[] | null;
  readonly options: JsonRecord;
  readonly isFile: boolean;
}

// Dozens of loaders describe the same list of models, so we keep it once.
type SharedLists = (list: readonly unknown[]) => readonly unknown[];

function sharedLists(): SharedLists {
  const known = new Map<string, readonly unknown[]>();
  return (list) => {
    const key = JSON.stringify([list.length, list[0], list[list.length >> 1], list.at(-1)]);
    const before = known.get(key);
    if (before?.every((each, at) => each === list[at])) return before;
    known.set(key, list);
    return list;
  };
}

const textsBefore = new WeakMap<readonly unknown[], readonly string[]>();

function textsIn(list: readonly unknown[]): readonly string[] {
  const texts = textsBefore.get(list) ?? list.filter(isText);
  textsBefore.set(list, texts);
  return texts;
}

function readClass(name: string, entry: JsonRecord, lists: SharedLists) {
  const inputs = readInputs(name, entry, lists);
  const outputs = listAt(entry, "output").map((type) => (typeof type === "string" ? type : "COMBO"));
  const files = inputs.filter(({ isFile }) => isFile);
  // Only the application's own classes reliably do what they describe.
  const isForeign = (stringAt(entry, "python_module") ?? "").startsWith("custom_nodes");
  const rest = {
    name,
    displayName: stringAt(entry, "display_name") ?? name,
    category: stringAt(entry, "category") ?? "",
    description: "",
    outputs: outputs.map(
      (type, at): OutputDescription => ({
        type: knownSocket(type),
        name: String(listAt(entry, "output_name")[at] ?? type),
      }),
    ),
    isOutputNode: memberOf(entry, "output_node") === true,
  };
  return {
    described: { ...rest, inputs: inputs.map(describedInput) },
    judged: {
      ...rest,
      inputs: inputs.filter(({ type }) => !type.startsWith("COMFY_")).map((raw) => judgedInput(raw, isForeign)),
    },
    sockets: { inputs: new Map(inputs.map((raw) => [raw.name, raw.type])), outputs },
    files: files.map(
      ({ name: input, choices }): FileInput => ({ name: input, listed: new Set((choices ?? []).filter(isText)) }),
    ),
    models: inputs.flatMap((raw) => modelInput(raw, isForeign)),
    fingerprint: fingerprintOf(inputs, outputs, rest.isOutputNode),
  };
}

function readInputs(className: string, entry: JsonRecord, lists: SharedLists): RawInput[] {
  const input = recordAt(entry, "input") ?? {};
  return (["required", "optional"] as const).flatMap((kind) =>
    Object.entries(recordAt(input, kind) ?? {})
      .slice(0, inputsMax)
      .flatMap(([name, config]) => readInput(className, name, config, kind === "optional"))
      .map((raw) => (raw.choices === null ? raw : { ...raw, choices: lists(raw.choices) })),
  );
}

function readInput(className: string, name: string, config: unknown, isOptional: boolean): RawInput[] {
  if (!Array.isArray(config)) return [];
  const [type, given]: readonly unknown[] = config;
  const options = isRecord(given) ? given : {};
  const choices = Array.isArray(type) ? type : type === "COMBO" ? listAt(options, "options") : null;
  if (choices === null && typeof type !== "string") return [];
  const isFile = choices !== null && (isUpload(options) || isKnownFile(className, name));
  return [{ name, isOptional, type: typeof type === "string" ? type : "COMBO", choices, options, isFile }];
}

const isUpload = (options: JsonRecord): boolean =>
  Object.entries(options).some(([name, value]) => name.endsWith("_upload") && value === true);

// Loaders that list files without marking them as files.
function isKnownFile(className: string, name: string): boolean {
  const input = builtInClasses.get(className)?.inputs.find((each) => each.name === name);
  return input?.type === "COMBO" && input.options === null;
}

const isText = (value: unknown): value is string => typeof value === "string";

function describedInput(raw: RawInput): InputDescription {
  const common = { name: raw.name, ...(raw.isOptional ? { optional: true } : {}) };
  if (memberOf(raw.options, "forceInput") === true) return { ...common, type: knownInput(raw.type) };
  if (raw.choices !== null)
    return { ...common, type: "COMBO", options: raw.isFile ? null : textsIn(raw.choices), ...comboExtra(raw) };
  return widgetInput(raw, common) ?? { ...common, type: knownInput(raw.type) };
}

function comboExtra({ options, choices }: RawInput) {
  const [first] = choices ?? [];
  const standard = memberOf(options, "default") ?? first;
  const upload = (["image", "audio", "video"] as const).find((kind) => memberOf(options, `${kind}_upload`) === true);
  return { ...(isText(standard) ? { default: standard } : {}), ...(upload ? { upload } : {}) };
}

interface InputCommon {
  readonly name: string;
  readonly optional?: boolean;
}

function widgetInput({ type, options }: RawInput, common: InputCommon): InputDescription | null {
  const standard = memberOf(options, "default");
  const min = integerAt(options, "min") ?? Number.NEGATIVE_INFINITY;
  const max = integerAt(options, "max") ?? Number.POSITIVE_INFINITY;
  const number = Number(integerAt(options, "default") ?? 0);
  switch (type) {
    case "INT": {
      const controlAfterGenerate = Boolean(memberOf(options, "control_after_generate"));
      return { ...common, type, default: number, min, max, ...(controlAfterGenerate ? { controlAfterGenerate } : {}) };
    }
    case "FLOAT":
      return { ...common, type, default: number, min, max, step: Number(integerAt(options, "step") ?? 0.01) };
    case "STRING":
      return { ...common, type, default: isText(standard) ? standard : "" };
    case "BOOLEAN":
      return { ...common, type, default: standard === true };
    default:
      return null;
  }
}

function judgedInput(raw: RawInput, isForeign: boolean): InputDescription {
  const anything: InputDescription = { name: raw.name, type: "*", ...(raw.isOptional ? { optional: true } : {}) };
  if (raw.isFile) return { ...anything, type: "COMBO", options: null };
  if (isForeign) return anything;
  if (raw.choices === null) return describedInput(raw);
  // An empty list gets filled in elsewhere: by an editor, or by the person who adds the first model.
  return raw.choices.length > 0 && isFixed(raw) ? describedInput(raw) : anything;
}

// True if exactly the listed choices can be picked: not fetched on demand, and not a selection of several.
function isFixed({ choices, options }: RawInput): boolean {
  const isOpen = memberOf(options, "remote") !== undefined || memberOf(options, "multiselect") === true;
  return !isOpen && choices?.every(isText) === true;
}

// A model file is in the list or it does not exist. This holds for custom classes too, if the list is clearly one of
// models.
function modelInput(raw: RawInput, isForeign: boolean): ModelInput[] {
  const { name, choices, isFile } = raw;
  if (choices === null || isFile || !isFixed(raw)) return [];
  const listed = textsIn(choices);
  const isOwn = isForeign ? listed.some(isModelFile) : listed.length === 0;
  return isOwn ? [{ name, listed }] : [];
}

type Socket = OutputDescription["type"];
const ownSockets = new Set<string>(["IMAGE", "MASK", "LATENT", "LATENT_OPERATION", "AUDIO", "VIDEO"]);
const valueSockets = new Set<string>(["STRING", "INT", "FLOAT", "BOOLEAN", "COMBO"]);

// Types that the engine does not know are compared by name (judge-graph.ts).
function knownSocket(type: string): Socket {
  return isOneOf(type, ownSockets) || isOneOf(type, valueSockets) ? type : "*";
}

function knownInput(type: string): "*" | "IMAGE" | "MASK" | "LATENT" | "LATENT_OPERATION" | "AUDIO" | "VIDEO" {
  return isInputSocket(type) ? type : "*";
}

function isOneOf(type: string, set: ReadonlySet<string>): type is Socket {
  return set.has(type);
}

function isInputSocket(type: string): type is "IMAGE" | "MASK" | "LATENT" | "LATENT_OPERATION" | "AUDIO" | "VIDEO" {
  return ownSockets.has(type);
}

function integerAt(options: JsonRecord, name: string): number | bigint | null {
  const value = memberOf(options, name);
  return typeof value === "bigint" || (typeof value === "number" && Number.isFinite(value)) ? value : null;
}

// Gives the same fingerprint whether exact or not.
function numberIn(options: JsonRecord, name: string): number | null {
  const value = integerAt(options, name);
  return value === null ? null : Number(value);
}

// Names of files and models differ between machines and change by the hour, so they are not part of the fingerprint.
function fingerprintOf(inputs: readonly RawInput[], outputs: readonly string[], isOutputNode: boolean): string {
  const parts = inputs.map(({ name, type, isOptional, choices, options, isFile }) => {
    const isListing = isFile || choices?.every((each) => !isText(each) || /\.\w{1,12}$/.test(each)) === true;
    const list = choices === null || isListing ? null : choices;
    return [name, type, isOptional, list, numberIn(options, "min"), numberIn(options, "max")];
  });
  return createHash("sha256")
    .update(JSON.stringify([parts, outputs, isOutputNode]))
    .digest("hex")
    .slice(0, 16);
}
