// The value of a Python expression when a pack is read but not run. Anything that only a run could tell is `unknown`, with
// its source; a list or dictionary with unknown parts is `open`, so that what was read still counts.
import type { SyntaxNode } from "./syntax.ts";

export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | Unknown
  | ListValue
  | DictValue
  | ClassValue
  | FunctionValue
  | ModuleValue
  | External
  | CallValue
  | Instance;

export interface Unknown {
  readonly kind: "unknown";
  readonly why: string;
  readonly file: string;
  readonly line: number;
}

export interface ListValue {
  readonly kind: "list";
  readonly items: Value[];
  open: Value | null;
}

export interface DictValue {
  readonly kind: "dict";
  readonly entries: Map<Value, Value>;
  // Set if there are members that could not be read.
  open: Value | null;
}

export interface ClassValue {
  readonly kind: "class";
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly bases: readonly Value[];
  readonly members: Map<string, Value>;
}

export interface FunctionValue {
  readonly kind: "function";
  readonly name: string;
  readonly node: SyntaxNode;
  readonly scope: Scope;
  readonly marks: readonly string[];
  // What the first parameter is.
  readonly bound: Value | undefined;
}

export interface ModuleValue {
  readonly kind: "module";
  readonly module: ModuleState;
}

// Something of a library or of the application: `folder_paths.get_filename_list`.
export interface External {
  readonly kind: "external";
  readonly path: string;
}

// A call of something external: what was called, and with what.
export interface CallValue {
  readonly kind: "call";
  readonly callee: Value;
  readonly args: readonly Value[];
  // What it was called with by name, and what was assigned to the result's attributes since.
  readonly named: Map<string, Value>;
  readonly file: string;
  readonly line: number;
}

export interface Instance {
  readonly kind: "instance";
  readonly of: ClassValue;
  readonly members: Map<string, Value>;
}

export interface ModuleState {
  // `a.b` for `a/b.py`; the pack itself is empty.
  readonly name: string;
  readonly isPackage: boolean;
  readonly file: string;
  readonly source: string;
  readonly names: Map<string, Value>;
  readonly lineOf: (at: number) => number;
  // One of its functions with its parameters and its body.
  readonly wholeOf: (definition: SyntaxNode) => SyntaxNode;
}

export interface Scope {
  readonly module: ModuleState;
  readonly names: Map<string, Value>;
  readonly parent: Scope | null;
  readonly kind: "module" | "class" | "function";
  // Names that an earlier branch of the same statement has set: a later branch keeps them.
  kept: ReadonlySet<string>;
  // What branches returned that may or may not run.
  readonly maybeReturned: Value[];
  // Names that a function declares as the module's.
  globals?: Set<string>;
}

export const list = (items: Value[], open: Value | null = null): ListValue => ({ kind: "list", items, open });
export const dict = (entries: Iterable<readonly [Value, Value]> = [], open: Value | null = null): DictValue => ({
  kind: "dict",
  entries: new Map(entries),
  open,
});
export const external = (path: string): External => ({ kind: "external", path });

export function isKind<
  Kind extends "list" | "dict" | "class" | "function" | "module" | "external" | "call" | "instance",
>(value: Value | undefined, kind: Kind): value is Extract<Value, { readonly kind: Kind }> {
  return typeof value === "object" && value !== null && value.kind === kind;
}

export function isUnread(value: Value | undefined): boolean {
  return (
    value === undefined ||
    (typeof value === "object" &&
      value !== null &&
      (value.kind === "unknown" || value.kind === "external" || value.kind === "call"))
  );
}

export function isPlain(value: Value | undefined): value is string | number | bigint | boolean | null {
  return value === null || (value !== undefined && typeof value !== "object");
}

// Undefined if only a run could tell.
export function truthOf(value: Value): boolean | undefined {
  if (value === null || typeof value !== "object") return Boolean(value);
  if (value.kind === "list") return value.items.length > 0 || (value.open === null ? false : undefined);
  if (value.kind === "dict") return value.entries.size > 0 || (value.open === null ? false : undefined);
  if (value.kind === "external") return value.path.endsWith("TYPE_CHECKING") ? false : undefined;
  return value.kind === "unknown" || value.kind === "call" ? undefined : true;
}

// The path of something external, through attributes: `comfy.samplers.KSampler`.
export function pathOf(value: Value | undefined): string | null {
  if (isKind(value, "external")) return value.path;
  return isKind(value, "call") ? pathOf(value.callee) : null;
}
