// The templates of a declared class: operators that exist, over inputs that exist, each with a value of its kind.
import { encodings, namesIn, operatorNames, operatorOf } from "@atelier/engine";
import { isRecord } from "../../foundation/json/json-record.ts";
import type { FieldProblem } from "../../foundation/json/schema.ts";
import { pointerSegment } from "../../foundation/json-pointer.ts";
import { type DeclaredName, type DeclaredNames, mediaTypes, plainTypes } from "./check-inputs.ts";

type JsonRecord = Readonly<Record<string, unknown>>;

const depthMax = 32;

interface Position {
  readonly names: DeclaredNames;
  readonly isWithinEach: boolean;
  readonly depth: number;
}

export function checkTemplate(template: unknown, path: string, names: DeclaredNames): FieldProblem[] {
  return problemsOf(template, path, { names, isWithinEach: false, depth: 0 });
}

function problemsOf(template: unknown, path: string, position: Position): FieldProblem[] {
  if (position.depth > depthMax) return [{ path, message: `nests more than ${depthMax} deep` }];
  const deeper = { ...position, depth: position.depth + 1 };
  if (Array.isArray(template)) return template.flatMap((each, at) => problemsOf(each, `${path}/${at}`, deeper));
  if (!isRecord(template)) return [];
  const operator = operatorOf(template);
  if (operator !== null) return operatorProblems(operator, template, path, deeper);
  const stray = Object.keys(template).find((name) => name.startsWith("$"));
  if (stray !== undefined) return [{ path, message: `has ${stray} beside other members; an operator comes first` }];
  return Object.entries(template).flatMap(([name, inner]) =>
    problemsOf(inner, `${path}/${pointerSegment(name)}`, deeper),
  );
}

const membersOf: Readonly<Record<string, readonly string[]>> = {
  $omit: [],
  $input: ["at", "as", "type", "pixels_max", "bytes_max", "modulo"],
  $items: ["at"],
  $item: ["type", "pixels_max", "bytes_max"],
  $each: ["give"],
  $choose: ["cases", "otherwise"],
  $if: ["give", "else"],
  $text: [],
};

function operatorProblems(operator: string, template: JsonRecord, path: string, position: Position): FieldProblem[] {
  if (!operatorNames.has(operator))
    return [{ path, message: `has the unknown operator ${operator}; there are ${[...operatorNames].join(", ")}` }];
  const strange = Object.keys(template).find((name) => name !== operator && !membersOf[operator]?.includes(name));
  if (strange !== undefined)
    return [{ path: `${path}/${pointerSegment(strange)}`, message: `is not a member of ${operator}` }];
  return checks[operator]?.(template, path, position) ?? [];
}

type Check = (template: JsonRecord, path: string, position: Position) => FieldProblem[];

const checks: Readonly<Record<string, Check>> = {
  $input(template, path, { names }) {
    const name = String(template["$input"]);
    const declared = names.get(name);
    if (declared === undefined) return [unknownInput(path, "$input", name, names)];
    const isEncoded = encodings.some((each) => each === template["as"]);
    const isMedia = mediaTypes.has(declared.type);
    if ("at" in template) return placeProblems(template, path, declared);
    if (isMedia === isEncoded) return [];
    return isMedia
      ? [{ path, message: `must say "as": ${encodings.join(" or ")}, because ${name} is ${declared.type}` }]
      : [{ path: `${path}/as`, message: `is only for pictures, sounds and videos; ${name} is ${declared.type}` }];
  },
  $items(template, path, { names }) {
    const name = String(template["$items"]);
    const declared = names.get(name);
    return declared === undefined
      ? [unknownInput(path, "$items", name, names)]
      : placeProblems(template, path, declared);
  },
  $item(template, path, { isWithinEach }) {
    if (!isWithinEach) return [{ path, message: "is only possible within $each" }];
    return encodings.some((each) => each === template["$item"])
      ? []
      : [{ path: `${path}/$item`, message: `must be ${encodings.join(" or ")}` }];
  },
  $each(template, path, position) {
    const name = String(template["$each"]);
    const declared = position.names.get(name);
    if (declared === undefined) return [unknownInput(path, "$each", name, position.names)];
    if (!mediaTypes.has(declared.type))
      return [{ path, message: `${name} is ${declared.type}; $each is for pictures` }];
    if (!("give" in template)) return [{ path, message: "must have a member give" }];
    return problemsOf(template["give"], `${path}/give`, { ...position, isWithinEach: true });
  },
  $choose(template, path, position) {
    const name = String(template["$choose"]);
    const declared = position.names.get(name);
    if (declared === undefined) return [unknownInput(path, "$choose", name, position.names)];
    const { cases, otherwise } = template;
    if (!isRecord(cases)) return [{ path, message: "must have a member cases" }];
    const strange =
      declared.choices === null ? [] : Object.keys(cases).filter((each) => !declared.choices?.includes(each));
    return [
      ...strange.map((each) => ({
        path: `${path}/cases/${pointerSegment(each)}`,
        message: `is not a choice of ${name}`,
      })),
      ...Object.entries(cases).flatMap(([key, inner]) =>
        problemsOf(inner, `${path}/cases/${pointerSegment(key)}`, position),
      ),
      ...problemsOf(otherwise, `${path}/otherwise`, position),
    ];
  },
  $if(template, path, position) {
    return [
      ...checkConditions(template["$if"], `${path}/$if`, position.names),
      ...("give" in template ? [] : [{ path, message: "must have a member give" }]),
      ...problemsOf(template["give"], `${path}/give`, position),
      ...problemsOf(template["else"], `${path}/else`, position),
    ];
  },
  $text(template, path, { names }) {
    const missing = namesIn(String(template["$text"])).filter((name) => !names.has(name));
    return missing.map((name) => unknownInput(path, "$text", name, names));
  },
};

// Only what another class gave has places or items.
function placeProblems({ at = "" }: JsonRecord, path: string, { type }: DeclaredName): FieldProblem[] {
  if (plainTypes.has(type) || mediaTypes.has(type))
    return [{ path, message: `is only for what other classes give; the input is ${type}` }];
  const isPointer = typeof at === "string" && (at === "" || at.startsWith("/"));
  return isPointer ? [] : [{ path: `${path}/at`, message: "must be a JSON pointer, such as /substyle" }];
}

export function checkConditions(conditions: unknown, path: string, names: DeclaredNames): FieldProblem[] {
  if (!isRecord(conditions)) return [{ path, message: "must be an object of conditions by input" }];
  return Object.entries(conditions).flatMap(([name, condition]) => {
    const position = `${path}/${pointerSegment(name)}`;
    const declared = names.get(name);
    if (declared === undefined) return [{ path: position, message: `names no input of the class${near(name, names)}` }];
    if (!isRecord(condition)) return [{ path: position, message: "must have is, not or given" }];
    const listed = [condition["is"], condition["not"]].flatMap((each) => (Array.isArray(each) ? each : []));
    const strange = declared.choices === null ? [] : listed.filter((each) => !declared.choices?.includes(String(each)));
    return strange.map((each) => ({
      path: position,
      message: `compares with ${JSON.stringify(each)}, which is not a choice`,
    }));
  });
}

function unknownInput(path: string, member: string, name: string, names: DeclaredNames): FieldProblem {
  return { path: `${path}/${member}`, message: `names ${name}, which is no input of the class${near(name, names)}` };
}

function near(name: string, names: DeclaredNames): string {
  const similar = [...names.keys()].find(
    (each) => each.endsWith(`.${name}`) || each.toLowerCase() === name.toLowerCase(),
  );
  return similar === undefined ? "" : `; did you mean ${similar}?`;
}
