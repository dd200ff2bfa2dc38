// Checks a file of node classes by itself: its form, and declarations that contradict themselves. Each problem names its field.
import { builtInClasses, type NodeDeclaration } from "@atelier/engine";
import type { FieldProblem } from "../../foundation/json/schema.ts";
import { compileSchema } from "../../foundation/json/schema.ts";
import { checkInputs, type DeclaredNames, namesOf } from "./check-inputs.ts";
import { checkConditions, checkTemplate } from "./check-template.ts";
import { NodesFile, patternWords } from "./nodes-file.ts";

export type CheckedNodes =
  | { readonly ok: true; readonly provider: string; readonly classes: readonly NodeDeclaration[] }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

export function checkNodesFile(value: unknown): CheckedNodes {
  const shape = compileSchema(NodesFile);
  if (!shape.accepts(value)) {
    const problems = shape.violations(value).map(({ path, message }) => ({ path, message: inWords(message) }));
    return { ok: false, problems };
  }
  const classes = value.classes.filter(isDeclaration);
  const problems = classes.flatMap((declared, index) => [
    ...nameProblems(declared, index, classes),
    ...classProblems(declared, `/classes/${index}`, value.provider),
  ]);
  return problems.length === 0 ? { ok: true, provider: value.provider, classes } : { ok: false, problems };
}

// The schema has checked all but the inputs' own form, which checkInputs does.
function isDeclaration(_value: NodesFile["classes"][number]): _value is NodesFile["classes"][number] & NodeDeclaration {
  return true;
}

function inWords(message: string): string {
  for (const [pattern, words] of patternWords) if (message.includes(pattern)) return words;
  return message;
}

function nameProblems({ name }: NodeDeclaration, index: number, classes: readonly NodeDeclaration[]): FieldProblem[] {
  const path = `/classes/${index}/name`;
  if (builtInClasses.has(name))
    return [{ path, message: `${name} is a class of the engine, which cannot be replaced` }];
  const isTwice = classes.findIndex((each) => each.name === name) < index;
  return isTwice ? [{ path, message: `${name} is declared twice` }] : [];
}

function classProblems(declared: NodeDeclaration, path: string, provider: string): FieldProblem[] {
  const names = namesOf(declared.input);
  return [
    ...checkInputs(declared.input, `${path}/input`),
    ...kindProblems(declared, path),
    ...(declared.values ?? []).flatMap(({ gives }, at) => checkTemplate(gives, `${path}/values/${at}/gives`, names)),
    ...declared.outputs.flatMap((output, at) => outputProblems(output, `${path}/outputs/${at}`)),
    ...declared.calls.flatMap((call, at) => callProblems(call, { path: `${path}/calls/${at}`, names, provider })),
    ...unreachable(declared, path),
  ];
}

// A class calls models and has their answers, or gives values; not both, and not neither.
function kindProblems({ outputs, calls, values }: NodeDeclaration, path: string): FieldProblem[] {
  if (values === undefined)
    return [
      ...(outputs.length === 0 ? [{ path: `${path}/outputs`, message: "is empty" }] : []),
      ...(calls.length === 0 ? [{ path: `${path}/calls`, message: "is empty" }] : []),
    ];
  const isAlone = outputs.length === 0 && calls.length === 0;
  return isAlone ? [] : [{ path: `${path}/values`, message: "cannot be beside outputs or calls" }];
}

function outputProblems(output: NodeDeclaration["outputs"][number], path: string): FieldProblem[] {
  const { type, otherwise, from } = output;
  if (from.length === 0 && otherwise === undefined)
    return [{ path: `${path}/from`, message: "names no position in the answer, and there is no otherwise" }];
  const isFine = otherwise === undefined || type === "STRING" || (type === "IMAGE" && otherwise === "empty");
  return isFine ? [] : [{ path: `${path}/otherwise`, message: `is not possible for ${type}` }];
}

interface CallPosition {
  readonly path: string;
  readonly names: DeclaredNames;
  readonly provider: string;
}

function callProblems(call: NodeDeclaration["calls"][number], { path, names, provider }: CallPosition): FieldProblem[] {
  const isOwn = call.model.startsWith(`${provider}/`);
  return [
    ...(isOwn ? [] : [{ path: `${path}/model`, message: `must be a model of ${provider}, whose classes these are` }]),
    ...checkConditions(call.when ?? {}, `${path}/when`, names),
    ...checkTemplate(call.body, `${path}/body`, names),
  ];
}

// A call after one without conditions is never made.
function unreachable({ calls }: NodeDeclaration, path: string): FieldProblem[] {
  const always = calls.findIndex(({ when }) => when === undefined);
  if (always < 0 || always === calls.length - 1) return [];
  return [{ path: `${path}/calls/${always + 1}`, message: "is never made: the call before it has no conditions" }];
}
