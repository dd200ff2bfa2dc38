// Library functions whose result can be read: what packs use to collect their classes, with the archive as the file system.
import type { Given, Interpreter, Position } from "./interpreter.ts";
import { itemsOf } from "./operators.ts";
import { dict, external, isKind, isPlain, list, type Value } from "./value.ts";

// Undefined if only a run could tell.
type Known = (run: Interpreter, given: Given, at: Position) => Value | undefined;

const texts = (args: readonly Value[]): string[] | undefined =>
  args.every((arg) => typeof arg === "string") ? args.map(String) : undefined;
const ofTexts =
  (make: (...parts: string[]) => Value | undefined): Known =>
  (_, { args }) => {
    const known = texts(args);
    return known === undefined ? undefined : make(...known);
  };
const copied: Known = (_, { args: [first] }) => {
  if (first === undefined) return list([]);
  const { items, open } = itemsOf(first);
  return isKind(first, "list") || isKind(first, "dict") || isKind(first, "class") || typeof first === "string"
    ? list([...items], open)
    : undefined;
};

function normalized(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

// Names directly in a folder of the pack, sorted.
function listFolder(run: Interpreter, folder: string): Value {
  const below = normalized(folder).replace(/^\/pack\/?/, "");
  const prefix = below === "" ? "" : `${below}/`;
  run.spend(run.files.length >> 4);
  const names = run.files
    .filter((file) => file.startsWith(prefix))
    .map((file) => file.slice(prefix.length).split("/")[0] ?? "");
  return list([...new Set(names)].sort());
}

function globbed(run: Interpreter, pattern: string): Value | undefined {
  if (
    pattern.includes("**") ||
    pattern
      .split("/")
      .slice(0, -1)
      .some((part) => part.includes("*"))
  )
    return undefined;
  const folder = folderOf(pattern);
  const found = listFolder(run, folder);
  const [before = "", after = ""] = nameOf(pattern).split("*");
  if (!isKind(found, "list")) return undefined;
  const names = found.items.map(String).filter((name) => name.startsWith(before) && name.endsWith(after));
  return list(names.map((name) => `${normalized(folder)}/${name}`));
}

const isInPack = (path: string) => normalized(path) === "/pack" || normalized(path).startsWith("/pack/");

function importNamed(run: Interpreter, { args, named }: Given, at: Position): Value | undefined {
  const [name, from] = [args[0] ?? named.get("name"), args[1] ?? named.get("package")];
  if (typeof name !== "string") return undefined;
  const base = typeof from === "string" ? from : "pack";
  const dots = /^\.*/.exec(name)?.[0].length ?? 0;
  const absolute =
    dots === 0 ? name : [...base.split(".").slice(0, base.split(".").length - dots + 1), name.slice(dots)].join(".");
  const inner = absolute === "pack" ? "" : absolute.startsWith("pack.") ? absolute.slice(5) : null;
  const module = inner === null ? run.importModule(absolute) : run.importModule(inner);
  if (module !== null) return { kind: "module", module };
  return inner === null ? external(absolute) : run.unknown(`the module ${absolute}`, at);
}

function getAttribute(run: Interpreter, { args: [of, name, fallback] }: Given, at: Position): Value | undefined {
  if (of === undefined || typeof name !== "string") return undefined;
  if (isKind(of, "module") && !of.module.names.has(name))
    return fallback === undefined ? run.attribute(of, name, at) : fallback;
  const found = run.attribute(of, name, at);
  return fallback !== undefined && typeof found === "object" && found?.kind === "unknown" ? fallback : found;
}

function hasAttribute(run: Interpreter, { args: [of, name] }: Given, at: Position): Value | undefined {
  if (typeof name !== "string") return undefined;
  if (isKind(of, "module")) return of.module.names.has(name);
  if (!isKind(of, "class") && !isKind(of, "instance")) return undefined;
  const found = run.attribute(of, name, at);
  return !(typeof found === "object" && found?.kind === "unknown");
}

function membersOf(_: Interpreter, { args: [of] }: Given): Value | undefined {
  if (!isKind(of, "module")) return undefined;
  return list(
    [...of.module.names].filter(([, value]) => isKind(value, "class")).map(([name, value]) => list([name, value])),
  );
}

function makeType(_: Interpreter, { args: [name, bases, members] }: Given, at: Position): Value | undefined {
  if (isKind(name, "instance")) return name.of;
  if (typeof name !== "string" || !isKind(bases, "list")) return undefined;
  const own = isKind(members, "dict") ? members.entries : new Map<Value, Value>();
  const { file } = at.module;
  return {
    kind: "class",
    name,
    file,
    line: at.module.lineOf(at.node.from),
    bases: bases.items,
    members: new Map([...own].map(([key, value]) => [String(key), value])),
  };
}

function moduleAt(run: Interpreter, { args, named }: Given): Value | undefined {
  const path = args[1] ?? named.get("location") ?? args[0];
  if (typeof path !== "string") return undefined;
  const module = run.moduleOfFile(normalized(path).replace(/^\/pack\//, ""));
  return module === null ? undefined : { kind: "module", module };
}

function addRoot(run: Interpreter, path: Value | undefined): null {
  if (typeof path === "string" && isInPack(path)) run.addRoot(normalized(path).slice(6));
  return null;
}

// Packs are read as an application without variables of theirs has them.
const unsetVariable: Known = (_, { args: [name, fallback = null], named }) =>
  typeof name === "string" ? (named.get("default") ?? fallback) : undefined;

const same: Known = (_, { args: [first] }) => first;
const range: Known = (_, { args }) => {
  const [start, end, step] = args.length === 1 ? [0, args[0], 1] : [args[0], args[1], args[2] ?? 1];
  if (typeof start !== "number" || typeof end !== "number" || typeof step !== "number" || step === 0) return undefined;
  const length = Math.max(0, Math.ceil((end - start) / step));
  return length > 10_000 ? undefined : list(Array.from({ length }, (__, index) => start + index * step));
};

export const builtInCalls: ReadonlyMap<string, Known> = new Map<string, Known>([
  ["list", copied],
  ["tuple", copied],
  ["set", copied],
  ["sorted", (run, given, at) => (given.named.size > 0 ? copied(run, given, at) : sortedCopy(run, given, at))],
  [
    "dict",
    (_, { args: [first], named }) =>
      first === undefined || isKind(first, "dict")
        ? dict([...(first?.entries ?? []), ...named], first?.open ?? null)
        : undefined,
  ],
  [
    "collections.OrderedDict",
    (_, { args: [first] }) => (first === undefined ? dict() : isKind(first, "dict") ? first : undefined),
  ],
  [
    "len",
    (_, { args: [first] }) =>
      isKind(first, "list") && first.open === null
        ? first.items.length
        : isKind(first, "dict") && first.open === null
          ? first.entries.size
          : typeof first === "string"
            ? first.length
            : undefined,
  ],
  [
    "str",
    (_, { args: [first] }) =>
      typeof first === "string" ? first : isPlain(first) && first !== null ? String(first) : undefined,
  ],
  [
    "int",
    (_, { args: [first] }) =>
      typeof first === "number"
        ? Math.trunc(first)
        : typeof first === "bigint"
          ? first
          : typeof first === "string" && /^-?\d{1,15}$/.test(first)
            ? Number(first)
            : undefined,
  ],
  [
    "float",
    (_, { args: [first] }) =>
      first === "inf"
        ? Number.POSITIVE_INFINITY
        : first === "-inf"
          ? Number.NEGATIVE_INFINITY
          : typeof first === "number"
            ? first
            : undefined,
  ],
  ["range", range],
  ["zip", (_, { args }) => zipped(args)],
  [
    "enumerate",
    (_, { args: [first] }) =>
      isKind(first, "list")
        ? list(
            first.items.map((item, index) => list([index, item])),
            first.open,
          )
        : undefined,
  ],
  [
    "reversed",
    (_, { args: [first] }) => (isKind(first, "list") ? list(first.items.toReversed(), first.open) : undefined),
  ],
  ["getattr", getAttribute],
  ["hasattr", hasAttribute],
  [
    "setattr",
    (_, { args: [of, name, value] }) => {
      if (isKind(of, "class") && typeof name === "string" && value !== undefined) of.members.set(name, value);
      return null;
    },
  ],
  ["type", makeType],
  ["vars", (run, { args: [of] }, at) => (of === undefined ? undefined : run.attribute(of, "__dict__", at))],
  ["dir", (_, { args: [of] }) => (isKind(of, "module") ? list([...of.module.names.keys()].sort()) : undefined)],
  ["copy.deepcopy", same],
  ["copy.copy", same],
  ["inspect.isclass", (_, { args: [of] }) => isKind(of, "class")],
  ["inspect.getmembers", membersOf],
  ["importlib.import_module", importNamed],
  ["__import__", importNamed],
  ["importlib.util.spec_from_file_location", moduleAt],
  ["importlib.util.module_from_spec", (_, { args: [of] }) => (isKind(of, "module") ? of : undefined)],
  ["sys.path.append", (run, { args: [path] }) => addRoot(run, path)],
  ["sys.path.insert", (run, { args: [, path] }) => addRoot(run, path)],
  ["pathlib.Path", (_, { args: [path] }) => (typeof path === "string" && isInPack(path) ? path : undefined)],
  ["os.getenv", unsetVariable],
  ["os.environ.get", unsetVariable],
  [
    "os.path.join",
    ofTexts((...parts) => parts.reduce((path, part) => (part.startsWith("/") ? part : `${path}/${part}`))),
  ],
  ["os.path.dirname", ofTexts((path = "") => folderOf(path))],
  ["os.path.basename", ofTexts((path = "") => nameOf(path))],
  ["os.path.abspath", ofTexts((path = "") => normalized(path))],
  ["os.path.realpath", ofTexts((path = "") => normalized(path))],
  ["os.path.normpath", ofTexts((path = "") => normalized(path))],
  [
    "os.path.splitext",
    ofTexts((path = "") => list([path.replace(/\.[^./]*$/, ""), /\.[^./]*$/.exec(path)?.[0] ?? ""])),
  ],
  [
    "os.path.isfile",
    (run, { args: [path] }) =>
      typeof path === "string" && isInPack(path) ? run.files.includes(normalized(path).slice(6)) : undefined,
  ],
  [
    "os.path.isdir",
    (run, { args: [path] }) =>
      typeof path === "string" && isInPack(path)
        ? run.files.some((file) => file.startsWith(`${normalized(path).slice(6)}/`))
        : undefined,
  ],
  [
    "os.path.exists",
    (run, { args: [path] }) =>
      typeof path === "string" && isInPack(path)
        ? run.files.some((file) => `${file}/`.startsWith(`${normalized(path).slice(6)}/`))
        : undefined,
  ],
  [
    "os.listdir",
    (run, { args: [path] }) => (typeof path === "string" && isInPack(path) ? listFolder(run, path) : undefined),
  ],
  [
    "glob.glob",
    (run, { args: [pattern], named }) =>
      typeof pattern === "string" && isInPack(pattern) && named.get("recursive") !== true
        ? globbed(run, pattern)
        : undefined,
  ],
]);

function sortedCopy(run: Interpreter, given: Given, at: Position): Value | undefined {
  const found = copied(run, given, at);
  if (!isKind(found, "list")) return found;
  run.spend(found.items.length);
  const isText = found.items.every((item) => typeof item === "string");
  return isText ? list(found.items.map(String).sort(), found.open) : found;
}

function zipped(args: readonly Value[]): Value | undefined {
  const lists = args.filter((arg) => isKind(arg, "list"));
  const [first] = lists;
  if (first === undefined || lists.length < args.length) return undefined;
  const length = Math.min(...lists.map(({ items }) => items.length));
  const open = lists.find((each) => each.open !== null)?.open ?? null;
  return list(
    Array.from({ length }, (_, index) => list(lists.map(({ items }) => items[index] ?? null))),
    open,
  );
}
