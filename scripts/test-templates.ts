// Converts every template of PyPI's comfyui-workflow-templates, and compares the result with what others make of the same
// file: comfy-cli's own converter, and, if a folder of them is given, the graphs that the application's frontend made. Then every
// template gets the form that a work of it would have.
//
//   npm run test:long -- templates --classes http://127.0.0.1:8188/object_info [--version 0.7.65] [--frontend folder] [--all]
//
// `--classes` is an application's object_info, as an address on this machine or as a file; without it only our engine's
// classes are known. `--frontend` has one JSON file per template, with its name. `--all` shows every difference and form.
// Downloads go into a folder of the temporary directory, because they are not ours to keep. Without Python it is skipped,
// with a message.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  builtInEditorClasses,
  convertUiGraph,
  type EditorClass,
  type EditorClasses,
  readEditorClass,
} from "@atelier/engine";
import { templateForms } from "./template-forms.ts";
import { hasPython, publicTemplates, python, templatesFolder as scratch } from "./template-package.ts";

const { values: options } = parseArgs({
  options: {
    classes: { type: "string" },
    version: { type: "string" },
    frontend: { type: "string" },
    all: { type: "boolean", default: false },
  },
});

type Nodes = Record<string, { readonly class_type: string; readonly inputs: Record<string, unknown> }>;

async function readClasses(from: string | undefined): Promise<{ classes: EditorClasses; text: string | null }> {
  if (from === undefined) return { classes: builtInEditorClasses, text: null };
  const text = from.startsWith("http") ? await (await fetch(from)).text() : readFileSync(from, "utf8");
  const said: Record<string, unknown> = JSON.parse(text);
  const read = Object.entries(said).flatMap(([name, entry]): [string, EditorClass][] => {
    const described = readEditorClass(name, entry);
    return described === null ? [] : [[name, described]];
  });
  return { classes: new Map(read), text };
}

// comfy-cli in a separate process, over all templates; if a text has choices it takes the first, as we do.
const asker = `
import json, sys, logging
logging.disable(logging.CRITICAL)
sys.path.insert(0, sys.argv[1])
from comfy_cli import workflow_to_api
workflow_to_api.random.choice = lambda choices: choices[0]
classes = json.load(open(sys.argv[2]))
for line in sys.stdin:
    name, workflow = json.loads(line)
    try: made = workflow_to_api.convert_ui_to_api(workflow, classes)
    except Exception as error: made = {"error": str(error)[:200]}
    print(json.dumps([name, made]))
`;

function commandLineGraphs(all: ReadonlyMap<string, unknown>, classes: string | null): Map<string, Nodes> | null {
  if (classes === null) return null;
  const classesFile = join(scratch, "classes.json");
  writeFileSync(classesFile, classes);
  try {
    const folder = join(scratch, "comfy-cli-with-what-it-needs");
    if (!existsSync(folder)) python(["-m", "pip", "install", "--quiet", "--target", folder, "comfy-cli"]);
    const lines = [...all].map((each) => JSON.stringify(each)).join("\n");
    const made = python(["-c", asker, folder, classesFile], lines);
    return new Map(
      made
        .trim()
        .split("\n")
        .map((line): [string, Nodes] => JSON.parse(line)),
    );
  } catch (error) {
    console.log(`comfy-cli is skipped: ${error instanceof Error ? error.message.split("\n").at(-2) : error}`);
    return null;
  }
}

function frontendGraphs(folder: string | undefined): Map<string, Nodes> | null {
  if (folder === undefined) return null;
  const read = readdirSync(folder).map((file): [string, Nodes] => {
    const value = JSON.parse(readFileSync(join(folder, file), "utf8"));
    return [file, value.output ?? value];
  });
  return new Map(read);
}

const shown = (value: unknown): string => String(JSON.stringify(value)).slice(0, 60);

// Titles are ignored: editors translate those that a file does not set.
function differences(ours: Nodes, theirs: Nodes): string[] {
  const found: string[] = [];
  for (const id of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const [own, other] = [ours[id], theirs[id]];
    if (!own || !other) found.push(`${own?.class_type ?? other?.class_type}: only ${own ? "ours" : "theirs"} (${id})`);
    else {
      for (const name of new Set([...Object.keys(own.inputs), ...Object.keys(other.inputs)])) {
        const [a, b] = [shown(own.inputs[name]), shown(other.inputs[name])];
        if (a !== b) found.push(`${own.class_type}.${name}: ours ${a}, theirs ${b} (${id})`);
      }
    }
  }
  return found;
}

// Whether both are the same graph under other ids: each node by its class, its values and what its links lead to.
function isSameButForIds(ours: Nodes, theirs: Nodes): boolean {
  const shapes = (nodes: Nodes) => {
    const known = new Map<string, string>();
    const shapeOf = (id: string, depth: number): string => {
      const node = nodes[id];
      if (!node || depth > 200) return "";
      const found = known.get(id);
      if (found !== undefined) return found;
      known.set(id, "");
      const inputs = Object.entries(node.inputs).map(([name, value]) => {
        const isLink = Array.isArray(value) && typeof value[0] === "string";
        return [name, isLink ? [shapeOf(value[0], depth + 1), value[1]] : value];
      });
      const shape = createHash("sha256")
        .update(JSON.stringify([node.class_type, inputs.sort()]))
        .digest("hex");
      known.set(id, shape);
      return shape;
    };
    return Object.keys(nodes)
      .map((id) => shapeOf(id, 0))
      .sort()
      .join();
  };
  return shapes(ours) === shapes(theirs);
}

function compare(who: string, ours: ReadonlyMap<string, Nodes>, theirs: ReadonlyMap<string, Nodes> | null): void {
  if (theirs === null) return;
  let [same, renamed, other] = [0, 0, 0];
  const reasons = new Map<string, string[]>();
  for (const [name, graph] of ours) {
    const their = theirs.get(name);
    if (!their) continue;
    const found = differences(graph, their);
    if (found.length === 0) same += 1;
    else if (isSameButForIds(graph, their)) renamed += 1;
    else other += 1;
    for (const each of isSameButForIds(graph, their) ? [] : found) {
      const key = each.replace(/: ours.*| \([^)]*\)$/g, "");
      reasons.set(key, [...(reasons.get(key) ?? []), `${name}: ${each}`]);
    }
  }
  console.log(`\nbeside ${who}: ${same} identical, ${renamed} identical but for ids, ${other} different`);
  for (const [reason, where] of [...reasons].sort(([, a], [, b]) => b.length - a.length)) {
    console.log(`  ${String(where.length).padStart(4)}  ${reason}`);
    for (const each of options.all ? where : where.slice(0, 1)) console.log(`          ${each}`);
  }
}

if (!hasPython()) {
  console.log("Skipped: downloading the templates needs Python with pip, which is not installed.");
  process.exit(0);
}
const all = publicTemplates(options.version);
const { classes, text } = await readClasses(options.classes);
const ours = new Map<string, Nodes>();
let [unknown, refused, subgraphs] = [0, 0, 0];
for (const [name, workflow] of all) {
  const made = convertUiGraph(workflow, classes, { random: () => 0, keepsCutOff: true });
  if (JSON.stringify(workflow).includes('"subgraphs":[{')) subgraphs += 1;
  if (made.ok) ours.set(name, JSON.parse(JSON.stringify(made.graph)));
  else if (made.unknownClasses.length > 0) unknown += 1;
  else {
    refused += 1;
    console.log(`refused: ${name}: ${made.problems[0]}`);
  }
}
console.log(`templates                ${all.size} (${subgraphs} with subgraphs)`);
console.log(`with unknown classes     ${unknown}`);
console.log(`converted                ${ours.size}`);
console.log(`refused for other causes ${refused}`);
compare("comfy-cli", ours, commandLineGraphs(all, text));
compare("the frontend", ours, frontendGraphs(options.frontend));

const { counts, failed, lines } = templateForms(all, text);
console.log(
  `\nforms                    ${counts.usable} (${counts.fromAppMode} from app mode, ${counts.inferred} inferred)`,
);
console.log(`with app mode            ${counts.appMode}`);
console.log(`app mode can show them   ${counts.written}`);
console.log(`without a form           ${failed.size}`);
for (const [reason, names] of Map.groupBy(failed.keys(), (name) => failed.get(name)?.replaceAll(/\d+/g, "…")))
  console.log(
    `  ${String(names.length).padStart(4)}  ${reason}: ${(options.all ? names : names.slice(0, 3)).join(", ")}`,
  );
for (const line of options.all ? lines : []) console.log(`  ${line}`);
const isEnough = counts.usable >= 20 && counts.fromAppMode === counts.appMode;
if (!isEnough) console.log("Too few templates have a form, or an app mode could not be read.");
process.exit(refused > 0 || !isEnough ? 1 : 0);
