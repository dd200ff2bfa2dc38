// Makes forms for public templates: from the editor's app mode where a template has one, otherwise inferred. A template's node
// classes are those of our engine; for any other class, the nodes of all templates say what inputs and outputs it has.
import { builtInClasses, conversionOf, describeClasses, type EditorClass, readEditorClass } from "@atelier/engine";
import { checkForm } from "../packages/server/src/capabilities/works/form/check-form.ts";
import { completeForm } from "../packages/server/src/capabilities/works/form/complete-form.ts";
import { fillGraph } from "../packages/server/src/capabilities/works/form/fill-graph.ts";
import { formSchema } from "../packages/server/src/capabilities/works/form/form-schema.ts";
import { readFormText, writeForm } from "../packages/server/src/capabilities/works/form/read-form.ts";
import { suggestForm } from "../packages/server/src/capabilities/works/form/suggest-form.ts";
import { appModeOf, writeAppMode } from "../packages/server/src/capabilities/works/form/write-app-mode.ts";
import { readExactJson } from "../packages/server/src/foundation/json/exact-json.ts";
import { compileSchema } from "../packages/server/src/foundation/json/schema.ts";

type JsonRecord = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const recordsOf = (value: unknown): readonly JsonRecord[] => listOf(value).filter(isObject);

export interface TemplateForms {
  // `usable`: a form with an input and an output that fits its graph. `written`: it also survives the editor's app mode.
  readonly counts: Readonly<
    Record<"templates" | "appMode" | "fromAppMode" | "inferred" | "usable" | "written", number>
  >;
  // Template → why it has no form.
  readonly failed: ReadonlyMap<string, string>;
  // One for each form, to look at.
  readonly lines: readonly string[];
}

// `said` is an application's object_info, which is believed before everything else.
export function templateForms(templates: ReadonlyMap<string, unknown>, said: string | null): TemplateForms {
  const known: unknown = said === null ? {} : readExactJson(said);
  const descriptions = new Map([
    ...describedBy([...templates.values()]),
    ...Object.entries(isObject(known) ? known : {}),
  ]);
  const classes = new Map(
    [...descriptions].flatMap(([name, entry]): [string, EditorClass][] => {
      const read = readEditorClass(name, entry);
      return read === null ? [] : [[name, read]];
    }),
  );
  const counts = { templates: templates.size, appMode: 0, fromAppMode: 0, inferred: 0, usable: 0, written: 0 };
  const failed = new Map<string, string>();
  const lines: string[] = [];
  for (const [name, template] of templates) {
    if (hasAppMode(template)) counts.appMode += 1;
    const made = tryForm(template, classes, descriptions);
    if (typeof made === "string") {
      failed.set(name, made);
      continue;
    }
    counts.usable += 1;
    counts[made.source === "app_mode" ? "fromAppMode" : "inferred"] += 1;
    if (made.isWritten) counts.written += 1;
    lines.push(`${name}: ${made.source}: ${made.inputs.join(", ")} → ${made.outputs.join(", ")}${made.problems}`);
  }
  return { counts, failed, lines };
}

// A sentence if the template cannot become a work.
function tryForm(
  template: unknown,
  classes: ReadonlyMap<string, EditorClass>,
  descriptions: ReadonlyMap<string, unknown>,
) {
  const steps = conversionOf(template, classes, { random: () => 0 });
  let next = steps.next();
  while (next.done !== true) next = steps.next();
  if (!next.value.ok)
    return (
      [...next.value.unknownClasses.map((each) => `unknown class ${each}`), ...next.value.problems][0] ?? "refused"
    );
  const exactIntegers = new Map<string, string>();
  const graph = { value: JSON.parse(JSON.stringify(next.value.graph)), exactIntegers };
  const known = { descriptions };
  const {
    form: suggested,
    source,
    problems,
  } = suggestForm({
    graph,
    document: { value: template, exactIntegers },
    classes: known,
  });
  if (suggested.outputs.length === 0) return "no output node";
  if (suggested.inputs.length === 0) return "no input";
  const form = completeForm(readFormText(writeForm(suggested)), graph, known);
  const [wrong] = checkForm(form, graph, known);
  if (wrong !== undefined) return `${wrong.path} ${wrong.message}`;
  const [refused] = compileSchema(formSchema(form)).violations({});
  if (refused !== undefined) return `the schema refuses a call without inputs: ${refused.path} ${refused.message}`;
  fillGraph({ graph, form, inputs: {}, random: () => 0n, files: new Map() });
  const { inputs, outputs, problems: unshown } = appModeOf(template, form);
  const written = writeAppMode(Buffer.from(JSON.stringify(template)), { inputs, outputs });
  const again = suggestForm({
    graph,
    document: { value: JSON.parse(String(written)), exactIntegers },
    classes: known,
  });
  const locations = (of: typeof form) => JSON.stringify(of.inputs.map(({ node, input, also }) => [node, input, also]));
  return {
    source,
    inputs: form.inputs.map(({ name, kind }) => `${name} (${kind})`),
    outputs: form.outputs.map(({ name }) => name),
    problems: problems.length === 0 ? "" : ` [${problems.join(" ")}]`,
    isWritten: unshown.length === 0 && again.source === "app_mode" && locations(again.form) === locations(form),
  };
}

function hasAppMode(template: unknown): boolean {
  const extra = isObject(template) ? template["extra"] : undefined;
  const data = isObject(extra) ? extra["linearData"] : undefined;
  return isObject(data) && listOf(data["inputs"]).length + listOf(data["outputs"]).length > 0;
}

// Our engine's descriptions, and entries made from nodes for everything else.
function describedBy(templates: readonly unknown[]): Map<string, unknown> {
  const best = new Map<string, JsonRecord>();
  for (const node of templates.flatMap(nodesOf)) {
    const type = String(node["type"]);
    const before = best.get(type);
    if (before === undefined || widgetsOf(node).length > widgetsOf(before).length) best.set(type, node);
  }
  const foreign = [...best].map(([type, node]): [string, unknown] => [type, entryFor(type, node)]);
  return new Map([...foreign, ...Object.entries(describeClasses(builtInClasses, [], { isExact: true }))]);
}

const editorOnly = new Set(["Note", "MarkdownNote", "Reroute", "PrimitiveNode", "SetNode", "GetNode"]);

function nodesOf(template: unknown): readonly JsonRecord[] {
  if (!isObject(template)) return [];
  const definitions = isObject(template["definitions"]) ? recordsOf(template["definitions"]["subgraphs"]) : [];
  const subgraphs = new Set(definitions.map(({ id }) => id));
  return [template, ...definitions]
    .flatMap((level) => recordsOf(level["nodes"]))
    .filter(({ type }) => typeof type === "string" && !subgraphs.has(type) && !editorOnly.has(type));
}

const widgetsOf = (node: JsonRecord) => recordsOf(node["inputs"]).filter((slot) => isObject(slot["widget"]));

function entryFor(type: string, node: JsonRecord): unknown {
  const values = listOf(node["widgets_values"]);
  const slots = recordsOf(node["inputs"]);
  const outputs = recordsOf(node["outputs"]).map((output) => String(output["type"]));
  let at = 0;
  const configs = slots.map((slot): [string, unknown] => {
    const [name, slotType] = [String(slot["name"]), String(slot["type"])];
    if (!isObject(slot["widget"])) return [name, [slotType]];
    const value = values[at];
    at += name === "seed" || name === "noise_seed" ? 2 : 1;
    if (slotType === "COMBO" || slotType === "COMFY_DYNAMICCOMBO_V3")
      return [name, [[value ?? ""], uploadFor(type, name)]];
    return [
      name,
      [
        slotType,
        slotType === "STRING" && (promptWord.test(name) || String(value).length > 40) ? { multiline: true } : {},
      ],
    ];
  });
  return {
    input: { required: Object.fromEntries(configs) },
    output: outputs,
    output_node: outputs.length === 0 || /^(Save|Preview)/.test(type),
    display_name: type,
  };
}

// Texts of many lines, with any content.
const promptWord = /text|prompt|lyrics|tags|caption/;

function uploadFor(type: string, name: string): JsonRecord {
  if (!/^Load/.test(type)) return {};
  return name === "image" ? { image_upload: true } : name === "audio" ? { audio_upload: true } : {};
}
