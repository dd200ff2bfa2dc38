// What is known about a value before evaluation, and what stepping into it by a name gives.
import type { Dependencies } from "./badge-shape.ts";
import type { Pair } from "./expression-tree.ts";

export type Traced =
  | { readonly kind: "root" }
  | { readonly kind: "widgets" }
  | { readonly kind: "inputs" }
  | { readonly kind: "groups" }
  | { readonly kind: "input"; readonly name: string }
  | { readonly kind: "widget"; readonly name: string }
  // Object literals that this value may be; their keys show which options the author had in mind.
  | { readonly kind: "tables"; readonly pairs: readonly (readonly Pair[])[] }
  | { readonly kind: "value" };

export const value: Traced = { kind: "value" };

export interface Member {
  readonly traced: Traced;
  // The list of depends_on in which the name was found.
  readonly read: keyof Dependencies | null;
}

export interface NoMember {
  readonly code: string;
  readonly message: string;
}

export function member(owner: Traced, name: string, dependsOn: Dependencies): Member | NoMember {
  switch (owner.kind) {
    case "root":
      return rootMember(name);
    case "widgets":
      return widgetMember(name, dependsOn);
    case "inputs":
      return dependsOn.inputs.includes(name)
        ? { traced: { kind: "input", name }, read: "inputs" }
        : absent("inputs", "inputs", name, dependsOn.inputs);
    case "groups":
      return dependsOn.input_groups.includes(name)
        ? { traced: value, read: "input_groups" }
        : absent("inputGroups", "input_groups", name, dependsOn.input_groups);
    case "input":
      return name === "connected"
        ? { traced: value, read: null }
        : { code: "unknown_member", message: `An input has only .connected, not .${name}.` };
    case "widget":
      return memberOfWidget(owner.name, name, dependsOn);
    case "tables":
      return { traced: tableMember(owner.pairs, name), read: null };
    case "value":
      return { traced: value, read: null };
  }
}

// Any key of these tables may be meant: all their values that are themselves tables.
export function anyMember(tables: readonly (readonly Pair[])[]): Traced {
  return asTables(tables.flat());
}

function rootMember(name: string): Member | NoMember {
  if (name === "widgets" || name === "inputs") return { traced: { kind: name }, read: null };
  if (name === "inputGroups") return { traced: { kind: "groups" }, read: null };
  const hint = name === "input_groups" || name === "g" ? " Groups are in inputGroups." : "";
  return {
    code: "unknown_root",
    message: `"${name}" is not a root. An expression can only read widgets, inputs and inputGroups.${hint}`,
  };
}

function widgetMember(name: string, dependsOn: Dependencies): Member | NoMember {
  const names = dependsOn.widgets.map((widget) => widget.name);
  return names.includes(name)
    ? { traced: { kind: "widget", name }, read: "widgets" }
    : absent("widgets", "widgets", name, names);
}

function memberOfWidget(widget: string, name: string, dependsOn: Dependencies): NoMember {
  const dotted = `${widget}.${name}`;
  if (dependsOn.widgets.some((one) => one.name === dotted)) return dottedPath("widgets", dotted);
  return {
    code: "unknown_member",
    message: `The value of widget "${widget}" has no members, so .${name} does not exist.`,
  };
}

function absent(root: string, list: string, name: string, names: readonly string[]): NoMember {
  const dotted = names.find((one) => one.startsWith(`${name}.`));
  if (dotted !== undefined) return dottedPath(root, dotted);
  return { code: "undeclared_reference", message: `${root} has no "${name}": declare it in depends_on.${list}.` };
}

function dottedPath(root: string, dotted: string): NoMember {
  return {
    code: "dotted_name_as_path",
    message: `"${dotted}" is one name with a dot in it, not a path: write $lookup(${root}, "${dotted}") or ${root}.\`${dotted}\`.`,
  };
}

function tableMember(tables: readonly (readonly Pair[])[], name: string): Traced {
  return asTables(tables.flat().filter(([key]) => key.kind === "literal" && key.value === name));
}

function asTables(pairs: readonly Pair[]): Traced {
  const inner = pairs.flatMap(([, content]) => (content.kind === "object" ? [content.pairs] : []));
  return inner.length === 0 ? value : { kind: "tables", pairs: inner };
}
