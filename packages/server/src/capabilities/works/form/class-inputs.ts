// The inputs of a node class, as an application's object_info describes them. Descriptions come from workers and applications:
// nothing in them is trusted, and what cannot be read is left out.
import type { WorkInputKind } from "@atelier/contract";
import { isRecord, type JsonRecord, memberOf } from "../../../foundation/json/json-record.ts";
import { isNumber } from "./form-values.ts";
import type { FormNumber } from "./work-form.ts";

export interface ClassInput {
  readonly name: string;
  // The kind that suits it best; null if only a link can feed it, or no kind suits.
  readonly kind: WorkInputKind | null;
  // INT, FLOAT, STRING, BOOLEAN, COMBO or something else.
  readonly type: string;
  readonly standard: unknown;
  readonly minimum: FormNumber | null;
  readonly maximum: FormNumber | null;
  readonly step: FormNumber | null;
  // Null if it has no list, or an empty one.
  readonly choices: readonly (string | FormNumber)[] | null;
  readonly isMultiline: boolean;
  // Editors offer to change it after each run.
  readonly isSeed: boolean;
  readonly isAdvanced: boolean;
  readonly tooltip: string | null;
}

export interface ClassInputs {
  readonly title: string | null;
  readonly isOutputNode: boolean;
  readonly inputs: ReadonlyMap<string, ClassInput>;
  // The inputs depend on what the node chose.
  readonly isDynamic: boolean;
}

const depthMax = 8;
const inputsMax = 2_000;

// `given` is what the node sets: some classes have further inputs for certain choices. Null if the entry describes no class.
export function readClassInputs(entry: unknown, given: JsonRecord): ClassInputs | null {
  const input = isRecord(entry) ? memberOf(entry, "input") : undefined;
  if (!isRecord(entry) || !isRecord(input)) return null;
  const inputs = new Map<string, ClassInput>();
  const outputs = memberOf(entry, "output");
  const makesMasks = Array.isArray(outputs) && outputs.length > 0 && outputs.every((type) => type === "MASK");
  const reading: Reading = { given, makesMasks, into: inputs, isDynamic: false };
  readSections(input, "", reading, 0);
  const title = memberOf(entry, "display_name");
  return {
    title: typeof title === "string" && title !== "" ? title : null,
    isOutputNode: memberOf(entry, "output_node") === true,
    inputs,
    isDynamic: reading.isDynamic,
  };
}

interface Reading {
  readonly given: JsonRecord;
  // A picture that it loads is only used as a mask.
  readonly makesMasks: boolean;
  readonly into: Map<string, ClassInput>;
  isDynamic: boolean;
}

function readSections(sections: JsonRecord, prefix: string, reading: Reading, depth: number): void {
  for (const section of [memberOf(sections, "required"), memberOf(sections, "optional")]) {
    if (!isRecord(section) || depth > depthMax) continue;
    for (const [name, config] of Object.entries(section)) {
      if (reading.into.size >= inputsMax) return;
      readOne(`${prefix}${name}`, config, reading, depth);
    }
  }
}

function readOne(name: string, config: unknown, reading: Reading, depth: number): void {
  if (!Array.isArray(config)) return;
  const [given, second]: readonly unknown[] = config;
  const options = isRecord(second) ? second : {};
  const listed = memberOf(options, "options");
  if (given === "COMFY_DYNAMICCOMBO_V3" && Array.isArray(listed)) {
    readDynamic(name, listed, reading, depth);
    return;
  }
  const type = Array.isArray(given) ? "COMBO" : given;
  if (typeof type !== "string") return;
  const list = Array.isArray(given) ? given : type === "COMBO" && Array.isArray(listed) ? listed : null;
  const found = described(name, type, options, list);
  reading.into.set(name, found.kind === "picture" && reading.makesMasks ? { ...found, kind: "mask" } : found);
}

// A choice whose members have inputs of their own, named after it: model, model.size.
function readDynamic(name: string, listed: readonly unknown[], reading: Reading, depth: number): void {
  reading.isDynamic = true;
  const keys = listed.flatMap((each) => {
    const key = isRecord(each) ? memberOf(each, "key") : undefined;
    return typeof key === "string" ? [key] : [];
  });
  reading.into.set(name, described(name, "COMBO", {}, keys));
  const chosen = memberOf(reading.given, name) ?? keys[0];
  const option = listed.find((each) => isRecord(each) && memberOf(each, "key") === chosen);
  const inner = isRecord(option) ? memberOf(option, "inputs") : undefined;
  if (isRecord(inner)) readSections(inner, `${name}.`, reading, depth + 1);
}

const seedNames = new Set(["seed", "noise_seed"]);

function described(name: string, type: string, options: JsonRecord, list: readonly unknown[] | null): ClassInput {
  const control = memberOf(options, "control_after_generate");
  const tooltip = memberOf(options, "tooltip");
  const choices = list?.filter((each): each is string | FormNumber => typeof each === "string" || isNumber(each)) ?? [];
  const number = (member: string) => {
    const value = memberOf(options, member);
    return isNumber(value) ? value : null;
  };
  return {
    name,
    type,
    kind: memberOf(options, "forceInput") === true ? null : kindOf(name, type, options, choices.length),
    standard: memberOf(options, "default"),
    minimum: number("min"),
    maximum: number("max"),
    step: number("step"),
    choices: choices.length === 0 ? null : choices,
    isMultiline: memberOf(options, "multiline") === true,
    isSeed: type === "INT" && (control === undefined || control === null ? seedNames.has(name) : control !== false),
    isAdvanced: memberOf(options, "advanced") === true,
    tooltip: typeof tooltip === "string" && tooltip !== "" ? tooltip : null,
  };
}

const uploads: readonly (readonly [flag: string, kind: WorkInputKind])[] = [
  ["image_upload", "picture"],
  ["animated_image_upload", "picture"],
  ["audio_upload", "sound"],
  ["video_upload", "film"],
];

const isModelName = (name: string) => /_name$|(^|_)(ckpt|lora|vae|unet|clip|model|weights)(_|$)/.test(name);

function kindOf(name: string, type: string, options: JsonRecord, choices: number): WorkInputKind | null {
  switch (type) {
    case "INT":
      return memberOf(options, "display") === "color" ? "color" : "integer";
    case "FLOAT":
      return "number";
    case "BOOLEAN":
      return "boolean";
    case "STRING":
    case "MARKDOWN":
    case "TEXTAREA":
      return "text";
    case "COLOR":
      return "color";
    case "COMBO": {
      const [, upload] = uploads.find(([flag]) => memberOf(options, flag) === true) ?? [];
      if (upload !== undefined || choices > 0) return upload ?? "choice";
      // A list without choices: the caller's files, which descriptions leave out, or models of which none is installed.
      return isModelName(name) ? "text" : "file";
    }
    default:
      return null;
  }
}
