// Which node classes a pack provides, and what they look like. The application looks at the pack's top module: first at
// NODE_CLASS_MAPPINGS, then at comfy_entrypoint.
import { memberOf, outerBases } from "./attributes.ts";
import { type ClassDescription, describeClass } from "./describe-class.ts";
import { describeSchema } from "./describe-schema.ts";
import { type Interpreter, OutOfSteps } from "./interpreter.ts";
import { isOfApplication, type Note } from "./plain-json.ts";
import { type PackLimits, packLimits, readPack } from "./read-pack.ts";
import type { ParsedFile } from "./syntax.ts";
import { type ClassValue, type DictValue, dict, isKind, type ModuleState, pathOf, type Value } from "./value.ts";

export interface ExtractedClass {
  readonly name: string;
  readonly fields: ClassDescription;
}

export interface Extraction {
  readonly status: "success" | "partial" | "failed";
  // What is computed at run time, or why nothing could be read. Each with its file and line.
  readonly reasons: readonly string[];
  readonly classes: readonly ExtractedClass[];
}

export const classesMax = 5_000;
const nameLengthMax = 255;
const reasonsMax = 50;
const stepsOfClassMax = 200_000;
// All descriptions together, so that one pack cannot fill the database.
const descriptionBytesMax = 8 * 1024 * 1024;

export function extractClasses(
  files: readonly string[],
  parse: (file: string) => ParsedFile | null,
  limits: PackLimits = packLimits,
): Extraction {
  if (!files.includes("__init__.py")) {
    return failed("The archive has no __init__.py at its top, so the application finds no nodes in it.");
  }
  const { run, broken } = readPack(files, parse, limits);
  const reasons = new Set<string>();
  const found = new Map<string, ClassDescription>();
  try {
    collect(run, reasons, found);
  } catch (thrown) {
    if (!(thrown instanceof OutOfSteps)) throw thrown;
    reasons.add("The code is too long to follow to its end.");
  }
  // A newer Python than the parser's has constructs it does not know, so they count only where something is missing.
  for (const [file, { line, isPython2 }] of broken) {
    if (isPython2) reasons.add(`${file}:${line}: this is Python 2.`);
    else if (reasons.size > 0 || found.size === 0) reasons.add(`${file}:${line}: this could not be parsed.`);
  }
  const classes = [...found].map(([name, fields]) => ({ name, fields })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const all = [...reasons];
  const listed = all.length > reasonsMax ? [...all.slice(0, reasonsMax), `And ${all.length - reasonsMax} more.`] : all;
  if (classes.length === 0 && listed.length > 0) return { status: "failed", reasons: listed, classes };
  return { status: listed.length === 0 ? "success" : "partial", reasons: listed, classes };
}

export const failed = (reason: string): Extraction => ({ status: "failed", reasons: [reason], classes: [] });

function collect(run: Interpreter, reasons: Set<string>, found: Map<string, ClassDescription>): void {
  const top = importTop(run, reasons);
  const mappings = top?.names.get("NODE_CLASS_MAPPINGS");
  if (top === null) return;
  if (mappings === undefined || mappings === null) {
    const entry = top.names.get("comfy_entrypoint");
    if (entry !== undefined) collectSchemas(run, entry, top, { reasons, found });
    else reasons.add("__init__.py:1: the module has neither NODE_CLASS_MAPPINGS nor comfy_entrypoint.");
    return;
  }
  const names = dict();
  const displayNames = dict();
  const add = (to: DictValue, more: Value | undefined) => {
    if (!isKind(more, "dict")) return;
    for (const [name, value] of more.entries) if (!to.entries.has(name)) to.entries.set(name, value);
  };
  add(names, mappings);
  add(displayNames, top.names.get("NODE_DISPLAY_NAME_MAPPINGS"));
  const open = isKind(mappings, "dict") ? mappings.open : mappings;
  if (open !== null) {
    reasons.add(`${whereOf(open, "__init__.py:1")}: which classes there are is computed at run time${sourceOf(open)}.`);
    for (const module of modulesWithMappings(run)) {
      add(names, module.names.get("NODE_CLASS_MAPPINGS"));
      add(displayNames, module.names.get("NODE_DISPLAY_NAME_MAPPINGS"));
    }
  }
  for (const [name, value] of names.entries) {
    if (typeof name !== "string" || !isUsable(name, found, reasons)) continue;
    const shown = displayNames.entries.get(name);
    const fields = describeWithin(run, name, value, reasons);
    const display =
      typeof shown === "string" && shown !== ""
        ? { display_name: shown.slice(0, 1_000).replaceAll("\0", "").toWellFormed() }
        : {};
    keep(found, name, { ...fields, ...display }, reasons);
  }
}

// What was read before the steps ran out still counts.
function importTop(run: Interpreter, reasons: Set<string>): ModuleState | null {
  try {
    return run.importModule("");
  } catch (thrown) {
    if (!(thrown instanceof OutOfSteps)) throw thrown;
    reasons.add("The code is too long to follow to its end.");
    run.allow(stepsOfClassMax);
    return run.importModule("");
  }
}

// Modules whose mappings a loop over files would collect. Tests and examples are not nodes.
function modulesWithMappings(run: Interpreter): readonly ModuleState[] {
  const candidates = run.files.filter(
    (file) => /\.py$/.test(file) && !/(?:^|\/)(?:tests?|examples?|docs?)\//i.test(file),
  );
  return candidates.slice(0, 2_000).flatMap((file) => {
    const module = run.moduleOfFile(file);
    return module?.source.includes("NODE_CLASS_MAPPINGS") ? [module] : [];
  });
}

interface Found {
  readonly reasons: Set<string>;
  readonly found: Map<string, ClassDescription>;
}

function collectSchemas(run: Interpreter, entry: Value, top: ModuleState, { reasons, found }: Found): void {
  const position = isKind(entry, "function") ? { module: entry.scope.module, node: entry.node } : null;
  const none = { args: [], named: new Map(), open: null };
  const extension = position && run.call(entry, none, position);
  const method = isKind(extension, "instance") && position ? run.attribute(extension, "get_node_list", position) : null;
  const listed = isKind(method, "function") && position ? run.call(method, none, position) : null;
  if (!isKind(listed, "list")) {
    reasons.add(
      `${whereOf(listed, `${top.file}:1`)}: which classes there are is computed at run time${sourceOf(listed)}.`,
    );
    return;
  }
  if (listed.open !== null)
    reasons.add(
      `${whereOf(listed.open, `${top.file}:1`)}: which classes there are is computed at run time${sourceOf(listed.open)}.`,
    );
  for (const item of listed.items) {
    if (!isKind(item, "class")) {
      reasons.add(`${whereOf(item, `${top.file}:1`)}: a class is computed at run time${sourceOf(item)}.`);
      continue;
    }
    const schema = describeSchema(run, item, noteFor(item.name, item, reasons));
    const name = schema?.name ?? null;
    if (name === null)
      reasons.add(`${item.file}:${item.line}: the name of the class ${item.name} is computed at run time.`);
    else if (isUsable(name, found, reasons)) keep(found, name, schema?.description ?? {}, reasons);
  }
}

// A class whose description takes too long is known by its name.
function describeWithin(run: Interpreter, name: string, value: Value, reasons: Set<string>): ClassDescription {
  run.allow(stepsOfClassMax);
  try {
    return describe(run, name, value, reasons);
  } catch (thrown) {
    if (!(thrown instanceof OutOfSteps)) throw thrown;
    reasons.add(`${name} takes too long to read.`);
    return {};
  }
}

function describe(run: Interpreter, name: string, value: Value, reasons: Set<string>): ClassDescription {
  if (!isKind(value, "class")) {
    reasons.add(`${whereOf(value, "__init__.py:1")}: the class ${name} could not be followed${sourceOf(value)}.`);
    return {};
  }
  const note = noteFor(name, value, reasons);
  const schema = describeSchema(run, value, note);
  if (schema !== null) return schema.description;
  // What is not here may be in a base of another package.
  if (memberOf(value, "INPUT_TYPES") === undefined && outerBases(value).length > 0) {
    reasons.add(
      `${value.file}:${value.line}: ${name} inherits from ${outerBases(value)[0]}, which is not in the pack.`,
    );
    return describeClass(run, value, () => {});
  }
  return describeClass(run, value, note);
}

const noteFor =
  (name: string, of: ClassValue, reasons: Set<string>): Note =>
  (what, value) => {
    if (isOfApplication(value)) return;
    reasons.add(
      `${whereOf(value, `${of.file}:${of.line}`)}: the ${what} of ${name} could not be read${sourceOf(value)}.`,
    );
  };

function whereOf(value: Value | null | undefined, fallback: string): string {
  return typeof value === "object" && value !== null && (value.kind === "unknown" || value.kind === "call")
    ? `${value.file}:${value.line}`
    : fallback;
}

function sourceOf(value: Value | null | undefined): string {
  if (typeof value !== "object" || value === null) return "";
  if (value.kind === "unknown") return ` (${value.why})`;
  if (value.kind === "instance") return ` (${value.of.name})`;
  const path = pathOf(value);
  return path === null ? "" : ` (${path}${value.kind === "call" ? "()" : ""})`;
}

function isUsable(name: string, found: ReadonlyMap<string, unknown>, reasons: Set<string>): boolean {
  if (found.size >= classesMax) {
    reasons.add(`The pack has more than ${classesMax} classes; the others are left out.`);
    return false;
  }
  const isGood = name !== "" && name.length <= nameLengthMax && !name.includes("\0") && name.isWellFormed();
  if (!isGood) reasons.add("A class is left out because its name is empty or too long.");
  return isGood;
}

const sizes = new WeakMap<Map<string, ClassDescription>, number>();

function keep(
  found: Map<string, ClassDescription>,
  name: string,
  fields: ClassDescription,
  reasons: Set<string>,
): void {
  const size = (sizes.get(found) ?? 0) + JSON.stringify(fields).length;
  if (size > descriptionBytesMax) reasons.add("Together, the descriptions are too long; some classes have none.");
  else sizes.set(found, size);
  found.set(name, size > descriptionBytesMax ? {} : fields);
}
