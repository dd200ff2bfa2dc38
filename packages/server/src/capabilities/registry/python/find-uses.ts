// What a pack can do, and what of it happens at import: at the top of a module, or in a function that is called from there,
// directly or through other modules of the pack.
import { type CodeUse, orderUses } from "./code-uses.ts";
import { type Call, type FileFacts, factsOf } from "./file-facts.ts";
import type { ParsedFile } from "./syntax.ts";
import { nativeFile } from "./uses-table.ts";

export function findUses(
  files: readonly string[],
  sources: readonly string[],
  parse: (file: string) => ParsedFile | null,
): readonly CodeUse[] {
  const native = files
    .filter((file) => nativeFile.test(file))
    .map((file): CodeUse => ({ kind: "native", atImport: false, name: "a compiled file", file }));
  const facts = sources.flatMap((file) => {
    const parsed = parse(file);
    return parsed === null ? [] : [factsOf(parsed, moduleOf(file))];
  });
  const reached = reachedAtImport(facts);
  const found = facts.flatMap(({ file, mentions }) =>
    mentions.map(({ kind, name, line, within }): CodeUse => {
      const atImport = within !== null && (within === "" || reached.has(`${file}\n${within}`));
      return { kind, atImport, name, file, line, ...(within ? { within } : {}) };
    }),
  );
  return orderUses([...native, ...found]);
}

export function moduleOf(file: string): { readonly name: string; readonly isPackage: boolean } {
  const isPackage = /(?:^|\/)__init__\.py$/.test(file);
  return { name: file.replace(/(?:\/?__init__)?\.pyw?$/, "").replaceAll("/", "."), isPackage };
}

// Methods that Python itself calls when a class or a module is made.
const calledByPython = /(?:^|\.)__(?:init_subclass__|set_name__|class_getitem__|prepare__)$/;
const constructors = ["__init__", "__new__", "__post_init__", "__call__", "__enter__"];

function reachedAtImport(facts: readonly FileFacts[]): ReadonlySet<string> {
  const byModule = new Map(facts.map((each) => [moduleOf(each.file).name, each]));
  const reached = new Set<string>();
  const instantiated: { readonly facts: FileFacts; readonly name: string }[] = [];
  const methods = new Set<string>();
  const open: { facts: FileFacts; within: string }[] = facts.map((each) => ({ facts: each, within: "" }));
  const enter = (of: FileFacts, name: string) => {
    const key = `${of.file}\n${name}`;
    if (!of.functions.has(name) || reached.has(key)) return;
    reached.add(key);
    open.push({ facts: of, within: name });
  };
  const callClass = (of: FileFacts, name: string) => {
    if (instantiated.some((each) => each.facts === of && each.name === name)) return;
    instantiated.push({ facts: of, name });
    for (const method of [...constructors, ...methods]) enter(of, `${name}.${method}`);
  };
  for (const each of facts) for (const name of each.functions) if (calledByPython.test(name)) enter(each, name);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { facts: here, within } = next;
    for (const call of here.callsIn(within)) {
      for (const { of, name } of targetsOf(call, here, within, byModule)) {
        enter(of, name);
        if (call.isCall && of.classes.has(name)) callClass(of, name);
      }
      const method = /\.(\w+)$/.exec(call.path)?.[1];
      if (method === undefined || methods.has(method)) continue;
      methods.add(method);
      for (const { facts: of, name } of instantiated) enter(of, `${name}.${method}`);
    }
  }
  return reached;
}

function targetsOf(
  { path }: Call,
  here: FileFacts,
  within: string,
  byModule: ReadonlyMap<string, FileFacts>,
): readonly { readonly of: FileFacts; readonly name: string }[] {
  const name = path.replace(/\(\)/g, "");
  // A function in a function, a method of the same class, or one of this file.
  const around = within.split(".");
  const local = around.map((_, depth) => [...around.slice(0, depth), name.replace(/^(?:self|cls)\./, "")].join("."));
  const found = [name, `${within}.${name}`, ...local].map((each) => ({ of: here, name: each }));
  // In another module: the longest part that is a module.
  const words = name.replace(/^pack\./, "").split(".");
  for (let at = words.length - 1; at > 0; at--) {
    const of = byModule.get(words.slice(0, at).join("."));
    if (of !== undefined) return [...found, { of, name: words.slice(at).join(".") }];
  }
  const top = name.startsWith("pack.") ? byModule.get("") : undefined;
  return top === undefined ? found : [...found, { of: top, name: words.join(".") }];
}
