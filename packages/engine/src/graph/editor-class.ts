// A node class as an editor shows it: which inputs have a widget, how many positions each takes in a file's list of values, and
// the default for a missing value. Read from the class's `object_info` entry.
import { isRecord } from "./graph.ts";

export interface EditorWidget {
  // What a new node shows; undefined if nothing.
  readonly standard: unknown;
  // Replaces null in a list of choices.
  readonly firstChoice: unknown;
  // Whether its value is in the file's list, and whether it goes into the API graph.
  readonly isSaved: boolean;
  readonly isSent: boolean;
  // The editor's own positions after it: what to do with the value after a run, a filter, a button.
  readonly positionsAfter: number;
  // Whether `{a|b}` in its text is a choice and comments are removed.
  readonly hasChoices: boolean;
  readonly isCurve: boolean;
}

export interface EditorInput {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly widget: EditorWidget | null;
  // Described as a value, but only fed by a link. Older files still have a position for it.
  readonly isForced: boolean;
  readonly hasControl: boolean;
  // For a choice with inputs of its own: the inputs by choice.
  readonly inputsOf: ReadonlyMap<string, readonly EditorInput[]> | null;
  // For an input that grows: its first names, in full.
  readonly grown: readonly EditorInput[] | null;
}

export interface EditorClass {
  readonly title: string;
  readonly inputs: readonly EditorInput[];
  readonly outputTypes: readonly string[];
}

export interface EditorClasses {
  get(name: string): EditorClass | undefined;
}

type JsonRecord = Readonly<Record<string, unknown>>;

const depthMax = 8;
const inputsMax = 1_000;
const choicesMax = 10_000;
const grownMax = 100;

// Null if the entry does not describe a class.
export function readEditorClass(name: string, entry: unknown): EditorClass | null {
  const input = isRecord(entry) ? memberOf(entry, "input") : undefined;
  if (!isRecord(entry) || !isRecord(input)) return null;
  const required = readInputs(memberOf(input, "required"), false, 0);
  const optional = readInputs(memberOf(input, "optional"), true, 0);
  const order = memberOf(entry, "input_order");
  const upload = uploadPosition(input);
  const title = memberOf(entry, "display_name");
  const outputs = memberOf(entry, "output");
  return {
    title: typeof title === "string" && title !== "" ? title : name,
    inputs: [...ordered(required, order, "required"), ...ordered(optional, order, "optional"), ...upload],
    outputTypes: (Array.isArray(outputs) ? outputs : []).map(outputType),
  };
}

function outputType(type: unknown): string {
  if (typeof type !== "string") return "COMBO";
  return type === "COMFY_MATCHTYPE_V3" ? "*" : type;
}

function readInputs(section: unknown, isOptional: boolean, depth: number): EditorInput[] {
  if (!isRecord(section) || depth > depthMax) return [];
  return Object.entries(section)
    .slice(0, inputsMax)
    .flatMap(([name, config]) => readInput(name, config, isOptional, depth));
}

function ordered(inputs: readonly EditorInput[], order: unknown, kind: string): readonly EditorInput[] {
  const names = isRecord(order) ? memberOf(order, kind) : undefined;
  if (!Array.isArray(names)) return inputs;
  const byName = new Map(inputs.map((input) => [input.name, input]));
  const first = names.flatMap((name: unknown) => {
    const input = typeof name === "string" ? byName.get(name) : undefined;
    if (input) byName.delete(input.name);
    return input ? [input] : [];
  });
  return [...first, ...byName.values()];
}

function readInput(name: string, config: unknown, isOptional: boolean, depth: number): EditorInput[] {
  if (!Array.isArray(config)) return [];
  const [given, second]: readonly unknown[] = config;
  const options = isRecord(second) ? second : {};
  const listed = memberOf(options, "options");
  const choices = Array.isArray(given) ? given : given === "COMBO" && Array.isArray(listed) ? listed : [];
  const type = Array.isArray(given) ? "COMBO" : given;
  if (typeof type !== "string") return [];
  const isForced = memberOf(options, "forceInput") === true;
  const asked = memberOf(options, "widgetType");
  const widget = isForced ? null : readWidget(typeof asked === "string" ? asked : type, name, options, choices);
  return [
    {
      name,
      type: type === "COMFY_MATCHTYPE_V3" ? matchedType(options) : type,
      isOptional,
      widget,
      isForced,
      hasControl: Boolean(memberOf(options, "control_after_generate")),
      inputsOf: type === dynamicCombo ? inputsByChoice(options, depth) : null,
      grown: type === "COMFY_AUTOGROW_V3" ? grownInputs(name, options, depth) : null,
    },
  ];
}

function matchedType(options: JsonRecord): string {
  const template = memberOf(options, "template");
  const allowed = isRecord(template) ? memberOf(template, "allowed_types") : undefined;
  return typeof allowed === "string" ? allowed : "*";
}

const dynamicCombo = "COMFY_DYNAMICCOMBO_V3";
const seedNames = new Set(["seed", "noise_seed"]);
const plainWidget = { firstChoice: undefined, isSaved: true, isSent: true, positionsAfter: 0 } as const;

function readWidget(type: string, name: string, options: JsonRecord, choices: readonly unknown[]): EditorWidget | null {
  const widget = {
    ...plainWidget,
    hasChoices: memberOf(options, "dynamicPrompts") === true,
    isCurve: type === "CURVE",
  };
  const given = memberOf(options, "default");
  const control = memberOf(options, "control_after_generate");
  switch (type) {
    case "INT": {
      // Every seed has that widget, requested or not.
      const isControlled = control === undefined || control === null ? seedNames.has(name) : Boolean(control);
      return { ...widget, standard: given ?? 0, positionsAfter: isControlled ? 1 : 0 };
    }
    case "FLOAT":
      return { ...widget, standard: given ?? 0, positionsAfter: control ? 1 : 0 };
    case "COMBO":
      return { ...widget, ...comboWidget(options, choices) };
    case dynamicCombo: {
      const [first] = choicesOf(options);
      return { ...widget, standard: first?.key, firstChoice: first?.key };
    }
    case "IMAGECOMPARE":
      return { ...widget, standard: ["", ""], isSaved: false };
    case "BOUNDING_BOX":
      return { ...widget, standard: given ?? { x: 0, y: 0, width: 512, height: 512 }, positionsAfter: 4 };
    default:
      return Object.hasOwn(otherStandards, type) ? { ...widget, standard: given ?? otherStandards[type] } : null;
  }
}

const otherStandards: JsonRecord = {
  BOOLEAN: false,
  STRING: "",
  MARKDOWN: "",
  TEXTAREA: "",
  COLOR: "#000000",
  CHART: {},
  GALLERIA: [],
  PAINTER: "",
  COMPOSITOR: {},
  CURVE: {
    points: [
      [0, 0],
      [1, 1],
    ],
    interpolation: "monotone_cubic",
  },
  RANGE: { min: 0, max: 1 },
  VIDEO_EDIT: { trim: { start_time: 0, duration: 0 }, crop: { x: 0, y: 0, width: 0, height: 0 } },
  BOUNDING_BOXES: [],
  COLORS: [],
  WEBCAM: "",
  LOAD_3D: "",
  AUDIO_RECORD: "",
};

function comboWidget(options: JsonRecord, choices: readonly unknown[]) {
  const isMany = memberOf(options, "multi_select") === true || isRecord(memberOf(options, "multi_select"));
  const remote = memberOf(options, "remote");
  const hasButton = isRecord(remote) && memberOf(remote, "refresh_button") === true;
  const hasControl = Boolean(memberOf(options, "control_after_generate"));
  // Next to the control, a list of choices has a text field that filters it.
  const controls = hasControl ? (isMany ? 1 : 2) : 0;
  return {
    standard: isMany ? [] : memberOf(options, "default") || choices[0],
    firstChoice: isMany ? undefined : choices[0],
    positionsAfter: controls + (hasButton ? 1 : 0),
  };
}

function choicesOf(options: JsonRecord): readonly { readonly key: string; readonly inputs: unknown }[] {
  const listed = memberOf(options, "options");
  if (!Array.isArray(listed)) return [];
  return listed.slice(0, choicesMax).flatMap((each: unknown) => {
    const key = isRecord(each) ? memberOf(each, "key") : undefined;
    return isRecord(each) && typeof key === "string" ? [{ key, inputs: memberOf(each, "inputs") }] : [];
  });
}

function inputsByChoice(options: JsonRecord, depth: number): ReadonlyMap<string, readonly EditorInput[]> {
  return new Map(choicesOf(options).map(({ key, inputs }) => [key, bothSections(inputs, depth + 1)]));
}

function bothSections(inputs: unknown, depth: number): EditorInput[] {
  if (!isRecord(inputs)) return [];
  return [
    ...readInputs(memberOf(inputs, "required"), false, depth),
    ...readInputs(memberOf(inputs, "optional"), true, depth),
  ];
}

// As many as a new node shows: the minimum, and one more.
function grownInputs(group: string, options: JsonRecord, depth: number): EditorInput[] {
  const template = memberOf(options, "template");
  if (!isRecord(template)) return [];
  const inputs = bothSections(memberOf(template, "input"), depth + 1);
  const listed = memberOf(template, "names");
  const names = Array.isArray(listed) ? listed.filter((each): each is string => typeof each === "string") : null;
  const [min, max] = [numberOr(memberOf(template, "min"), 1), numberOr(memberOf(template, "max"), grownMax)];
  const given = memberOf(template, "prefix");
  const prefix = typeof given === "string" ? given : "";
  const count = Math.min(Math.max(1, min + 1), names?.length ?? max, grownMax);
  return Array.from({ length: count }, (_, at) =>
    inputs.map((input) => ({
      ...input,
      isOptional: at >= min || input.isOptional,
      name: `${group}.${names ? names[at] : `${inputs.length === 1 ? prefix : input.name}${at}`}`,
    })),
  ).flat();
}

// The upload button next to the first file name: the last position of all.
function uploadPosition(input: JsonRecord): EditorInput[] {
  const required = memberOf(input, "required");
  if (!isRecord(required)) return [];
  const hasUpload = Object.entries(required).some(([name, config]) => {
    const options: unknown = Array.isArray(config) ? config[1] : undefined;
    if (!isRecord(options)) return false;
    if (name === "audio" && memberOf(options, "audio_upload") === true) return true;
    return ["image_upload", "video_upload", "animated_image_upload"].some((key) => memberOf(options, key) === true);
  });
  const button = { ...plainWidget, standard: undefined, isSent: false, hasChoices: false, isCurve: false };
  const rest = { isOptional: false, isForced: false, hasControl: false, inputsOf: null, grown: null };
  return hasUpload ? [{ name: "upload", type: "IMAGEUPLOAD", widget: button, ...rest }] : [];
}

function numberOr(value: unknown, standard: number): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : standard;
}

// Own members only, because descriptions come from elsewhere.
function memberOf(record: JsonRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
