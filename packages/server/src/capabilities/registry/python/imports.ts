// Imports: modules of the pack are followed, everything else is external. A pack is imported by its folder's name, which
// is not known here, so an absolute import counts as the pack's own if the pack has such a module at its top.
import { importedConstant } from "./attributes.ts";
import type { Interpreter } from "./interpreter.ts";
import { childrenOf, type SyntaxNode, splitAtCommas } from "./syntax.ts";
import { external, isKind, type ModuleState, type Scope, type Value } from "./value.ts";

export function runImport(run: Interpreter, node: SyntaxNode, scope: Scope): null {
  const children = childrenOf(node);
  const text = (part: SyntaxNode) => scope.module.source.slice(part.from, part.to);
  const at = children.findIndex(({ name }) => name === "import");
  const wanted = splitAtCommas(children.slice(at + 1).filter(({ name }) => name !== "(" && name !== ")"));
  if (children[0]?.name === "from") {
    const path = children.slice(1, at).map(text).join("");
    for (const part of wanted) importFrom(run, path, part.map(text), scope);
  } else for (const part of wanted) importPlain(run, part.map(text), scope);
  return null;
}

// The application's own modules win over a pack's of the same name.
const isApplications = (path: string) =>
  /^(?:nodes|folder_paths|comfy|comfy_extras|comfy_api|server|execution)(?:\.|$)/.test(path);

// `import a.b as c`, `import a.b`.
function importPlain(run: Interpreter, words: readonly string[], scope: Scope): void {
  const at = words.indexOf("as");
  const path = words.slice(0, at < 0 ? undefined : at).join("");
  const module = isApplications(path) ? null : run.importModule(path);
  const top = path.split(".")[0] ?? path;
  const alias = at < 0 ? top : (words[at + 1] ?? top);
  const own = at < 0 && module !== null ? run.importModule(top) : module;
  set(scope, alias, own === null ? external(at < 0 ? top : path) : { kind: "module", module: own });
}

function importFrom(run: Interpreter, path: string, words: readonly string[], scope: Scope): void {
  const dots = /^\.*/.exec(path)?.[0].length ?? 0;
  const name = dots === 0 ? path : relativeName(scope.module, dots, path.slice(dots));
  const module = name === null || (dots === 0 && isApplications(name)) ? null : run.importModule(name);
  const [wanted = "", , alias = wanted] = words;
  if (wanted === "*") {
    if (module !== null) importAll(module, scope);
    return;
  }
  set(scope, alias, memberOf(run, { module, name, path }, wanted));
}

function memberOf(
  run: Interpreter,
  from: { readonly module: ModuleState | null; readonly name: string | null; readonly path: string },
  wanted: string,
): Value {
  // The pack has the package, but not this module of it.
  const isMissing =
    from.name !== null &&
    from.module === null &&
    from.path.includes(".") &&
    run.importModule(from.path.split(".")[0] ?? "") !== null;
  if (isMissing) return external(`pack.${from.path}.${wanted}`);
  if (from.module === null) return importedConstant(`${from.path}.${wanted}`) ?? external(`${from.path}.${wanted}`);
  const found = from.module.names.get(wanted);
  if (found !== undefined) return found;
  const inner = from.name === "" ? wanted : `${from.name}.${wanted}`;
  const module = run.importModule(inner);
  return module === null ? external(`pack.${inner}`) : { kind: "module", module };
}

function importAll(module: ModuleState, scope: Scope): void {
  const named = module.names.get("__all__");
  const wanted = isKind(named, "list") && named.open === null ? new Set(named.items) : null;
  for (const [name, value] of module.names) {
    if (wanted === null ? !name.startsWith("_") : wanted.has(name)) set(scope, name, value);
  }
}

// Null if it points outside the pack.
function relativeName(module: ModuleState, dots: number, rest: string): string | null {
  const parts = module.name === "" ? [] : module.name.split(".");
  const up = dots - (module.isPackage ? 1 : 0);
  if (up > parts.length) return null;
  return [...parts.slice(0, parts.length - up), ...(rest === "" ? [] : rest.split("."))].join(".");
}

// A name that an earlier branch has set to something of the pack stays.
function set(scope: Scope, name: string, value: Value): void {
  const known = scope.names.get(name);
  if (known !== undefined && scope.kept.has(name) && !isKind(known, "external")) return;
  scope.names.set(name, value);
}
