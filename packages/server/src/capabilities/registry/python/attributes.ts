// Attributes: of modules, classes, instances and libraries.
import type { Interpreter, Position } from "./interpreter.ts";
import { type ClassValue, dict, external, type FunctionValue, isKind, isPlain, type Value } from "./value.ts";

export function readAttribute(run: Interpreter, of: Value, name: string, at: Position): Value {
  const found = attributeOf(run, of, name);
  if (found !== undefined) return found;
  if (isKind(of, "external")) return constants.get(`${of.path}.${name}`) ?? external(`${of.path}.${name}`);
  if (isKind(of, "call") && of.named.has(name)) return of.named.get(name) ?? null;
  if (isKind(of, "call")) return { ...of, callee: external(`${methodPath(of)}.${name}`), args: [...of.args] };
  // A method of a text, a list or a dictionary: what it does is known where it is called.
  if (isPlain(of) || isKind(of, "list") || isKind(of, "dict"))
    return name === "value" && isPlain(of)
      ? of
      : { kind: "function", name, node: at.node, scope: emptyScope(at), marks: ["method"], bound: of };
  return run.unknown(`“${name}” of something computed`, at);
}

// `Custom("X").Input`: continues the path of the call.
function methodPath(call: Extract<Value, { kind: "call" }>): string {
  return isKind(call.callee, "external") ? `${call.callee.path}()` : "()";
}

function emptyScope({ module }: Position): FunctionValue["scope"] {
  return { module, names: module.names, parent: null, kind: "module", kept: new Set(), maybeReturned: [] };
}

function attributeOf(run: Interpreter, of: Value, name: string): Value | undefined {
  if (isKind(of, "module")) {
    const own = of.module.names.get(name);
    if (own !== undefined) return own;
    if (name === "__dict__") return { kind: "dict", entries: of.module.names as Map<Value, Value>, open: null };
    if (name === "__name__") return `pack.${of.module.name}`;
    const inner = run.importModule(of.module.name === "" ? name : `${of.module.name}.${name}`);
    return inner === null ? external(`pack.${of.module.name}.${name}`) : { kind: "module", module: inner };
  }
  if (isKind(of, "class")) {
    if (name === "__name__" || name === "__qualname__") return of.name;
    if (name === "__dict__" || name === "__members__") return dict(of.members);
    const member = memberOf(of, name);
    return isKind(member, "function") && member.marks.includes("classmethod") ? { ...member, bound: of } : member;
  }
  if (typeof of === "string" && of.startsWith("/pack")) return ofPath(of, name);
  if (!isKind(of, "instance")) return undefined;
  if (name === "__class__") return of.of;
  const own = of.members.get(name);
  if (own !== undefined) return own;
  const member = memberOf(of.of, name);
  if (!isKind(member, "function")) return member;
  if (member.marks.includes("staticmethod")) return member;
  const bound = { ...member, bound: member.marks.includes("classmethod") ? of.of : of };
  return member.marks.includes("property")
    ? run.call(bound, { args: [], named: new Map(), open: null }, { module: member.scope.module, node: member.node })
    : bound;
}

// A path object is read as its text.
function ofPath(path: string, name: string): Value | undefined {
  const last = path.slice(path.lastIndexOf("/") + 1);
  if (name === "parent") return path.slice(0, path.lastIndexOf("/"));
  if (name === "name") return last;
  if (name === "stem") return last.replace(/\.[^.]*$/, "");
  return name === "suffix" ? (/\.[^.]*$/.exec(last)?.[0] ?? "") : undefined;
}

// Looks through the bases, depth first. A base outside the pack that could have it makes the member unknown.
export function memberOf(of: ClassValue, name: string, depth = 0): Value | undefined {
  const own = of.members.get(name);
  if (own !== undefined || depth > 20) return own;
  for (const base of of.bases) {
    const found = isKind(base, "class") ? memberOf(base, name, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

// Paths of the bases outside the pack.
export function outerBases(of: ClassValue, depth = 0): readonly string[] {
  if (depth > 20) return [];
  return of.bases.flatMap((base) => {
    if (isKind(base, "class")) return outerBases(base, depth + 1);
    return isKind(base, "external") ? [base.path] : [];
  });
}

const constants = new Map<string, Value>([
  ["sys.maxsize", 2n ** 63n - 1n],
  ["sys.float_info.max", Number.MAX_VALUE],
  ["math.inf", Number.POSITIVE_INFINITY],
  ["math.pi", Math.PI],
  ["numpy.pi", Math.PI],
  ["numpy.inf", Number.POSITIVE_INFINITY],
  ["os.sep", "/"],
  ["nodes.MAX_RESOLUTION", 16_384],
]);
export const importedConstant = (path: string): Value | undefined => constants.get(path);
