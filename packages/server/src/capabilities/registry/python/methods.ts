// Methods of texts, lists and dictionaries. Undefined means that only a run could tell.
import { builtInCalls } from "./built-in-calls.ts";
import { mergeInto, shown } from "./evaluate-expression.ts";
import type { Given, Interpreter, Position } from "./interpreter.ts";
import { itemsOf } from "./operators.ts";
import { type DictValue, dict, isKind, isPlain, type ListValue, list, type Value } from "./value.ts";

export function callMethod(run: Interpreter, of: Value, name: string, given: Given, at: Position): Value | undefined {
  run.spend(1);
  if (typeof of === "string")
    return of.startsWith("/pack")
      ? (ofPath(run, of, name, given, at) ?? ofText(of, name, given))
      : ofText(of, name, given);
  if (isKind(of, "list")) return ofList(run, of, name, given);
  return isKind(of, "dict") ? ofDict(run, of, name, given) : undefined;
}

const pathMethods: Readonly<Record<string, string>> = {
  resolve: "os.path.abspath",
  absolute: "os.path.abspath",
  joinpath: "os.path.join",
  is_file: "os.path.isfile",
  is_dir: "os.path.isdir",
  exists: "os.path.exists",
};

// A path object is read as its text.
function ofPath(run: Interpreter, path: string, name: string, given: Given, at: Position): Value | undefined {
  const asked = (call: string, args: readonly Value[]) => builtInCalls.get(call)?.(run, { ...given, args }, at);
  if (name === "as_posix" || name === "relative_to") return name === "as_posix" ? path : undefined;
  if (name === "iterdir") {
    const names = asked("os.listdir", [path]);
    return isKind(names, "list") ? list(names.items.map((each) => `${path}/${String(each)}`)) : undefined;
  }
  const [pattern] = given.args;
  if (name === "glob") return typeof pattern === "string" ? asked("glob.glob", [`${path}/${pattern}`]) : undefined;
  const call = pathMethods[name];
  return call === undefined ? undefined : asked(call, [path, ...given.args]);
}

function ofText(text: string, name: string, { args, named }: Given): Value | undefined {
  const [first, second] = args;
  if (name === "format") return formatted(text, args, named);
  if (name === "join" && isKind(first, "list")) {
    const { items } = first;
    return first.open === null && items.every((item) => typeof item === "string") ? items.join(text) : undefined;
  }
  if (name === "replace" && typeof first === "string" && typeof second === "string")
    return first === ""
      ? undefined
      : text
          .slice(0, 20_000)
          .replaceAll(first, () => second)
          .slice(0, 100_000);
  if (name === "split" || name === "rsplit") {
    if (args.length > 1) return undefined;
    return list(typeof first === "string" && first !== "" ? text.split(first) : text.trim().split(/\s+/));
  }
  const isIn = (test: (part: string) => boolean) => {
    const parts = isKind(first, "list") ? first.items : [first];
    return parts.every((part) => typeof part === "string") ? parts.some((part) => test(String(part))) : undefined;
  };
  if (name === "startswith") return isIn((part) => text.startsWith(part));
  if (name === "endswith") return isIn((part) => text.endsWith(part));
  if (name === "removesuffix" && typeof first === "string")
    return first !== "" && text.endsWith(first) ? text.slice(0, -first.length) : text;
  if (name === "removeprefix" && typeof first === "string")
    return text.startsWith(first) ? text.slice(first.length) : text;
  if (args.length > 0 && name !== "encode" && name !== "decode") return undefined;
  return plainMethods[name]?.(text);
}

const plainMethods: Readonly<Record<string, (text: string) => Value>> = {
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  strip: (text) => text.trim(),
  lstrip: (text) => text.trimStart(),
  rstrip: (text) => text.trimEnd(),
  title: (text) => text.replace(/[A-Za-z]+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()),
  capitalize: (text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase(),
  isdigit: (text) => /^\d+$/.test(text),
  encode: (text) => text,
  decode: (text) => text,
};

function formatted(text: string, args: readonly Value[], named: ReadonlyMap<string, Value>): Value | undefined {
  let next = 0;
  let isKnown = true;
  const result = text.replace(/\{\{|\}\}|\{([A-Za-z0-9_]*)\}/g, (mark, field: string | undefined) => {
    if (field === undefined) return mark.charAt(0);
    const value = field === "" ? args[next++] : /^\d+$/.test(field) ? args[Number(field)] : named.get(field);
    if (!isPlain(value)) isKnown = false;
    return isPlain(value) ? shown(value) : "";
  });
  return isKnown && !/\{[^}]*[!:]/.test(text) ? result : undefined;
}

function ofList(run: Interpreter, of: ListValue, name: string, { args }: Given): Value | undefined {
  const [first, second] = args;
  if (name === "append" || name === "add") {
    if (first !== undefined) of.items.push(first);
    return null;
  }
  if (name === "extend" || name === "update") {
    const more = itemsOf(first ?? null);
    run.spend(more.items.length);
    of.items.push(...more.items);
    of.open ??= more.open;
    return null;
  }
  if (name === "insert" && typeof first === "number" && second !== undefined) {
    of.items.splice(first, 0, second);
    return null;
  }
  if (name === "copy") return list([...of.items], of.open);
  if (name === "index" && isPlain(first)) return of.items.includes(first) ? of.items.indexOf(first) : undefined;
  if (name === "remove" && isPlain(first)) {
    if (of.items.includes(first)) of.items.splice(of.items.indexOf(first), 1);
    return null;
  }
  if (name === "sort" && of.items.every((item) => typeof item === "string")) {
    of.items.sort((a, b) => (String(a) < String(b) ? -1 : 1));
    return null;
  }
  return undefined;
}

function ofDict(run: Interpreter, of: DictValue, name: string, { args, named }: Given): Value | undefined {
  const [key, fallback = null] = args;
  if (name === "update") {
    if (key !== undefined) mergeInto(run, of, key);
    for (const [each, value] of named) of.entries.set(each, value);
    return null;
  }
  run.spend(of.entries.size >> 3);
  if (name === "items")
    return list(
      [...of.entries].map(([each, value]) => list([each, value])),
      of.open,
    );
  if (name === "keys") return list([...of.entries.keys()], of.open);
  if (name === "values") return list([...of.entries.values()], of.open);
  if (name === "copy") return dict(of.entries, of.open);
  if (!isPlain(key)) return undefined;
  const found = of.entries.get(key);
  if (name === "get" || name === "pop" || name === "setdefault") {
    if (found === undefined && of.open !== null) return undefined;
    if (name === "pop") of.entries.delete(key);
    if (name === "setdefault" && found === undefined) of.entries.set(key, fallback);
    return found === undefined ? fallback : found;
  }
  return undefined;
}
