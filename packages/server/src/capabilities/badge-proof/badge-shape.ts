// What a badge object is: three keys and nothing else, all three lists present, no name twice (Spec, Price badge map).
// Reading builds a new object from the checked parts, so nothing unexpected is ever stored or served.

import { limits } from "@atelier/contract";
import { hasAtMost } from "../../foundation/json/characters.ts";
import { canonicalJson } from "../../foundation/json/json-canonical.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import { type Finding, failure } from "./finding.ts";

export interface Dependencies {
  readonly widgets: readonly { readonly name: string; readonly type: string }[];
  readonly inputs: readonly string[];
  readonly input_groups: readonly string[];
}

export interface Badge {
  readonly engine: "jsonata";
  readonly depends_on: Dependencies;
  readonly expr: string;
}

export type ReadBadge =
  | { readonly ok: true; readonly badge: Badge }
  | { readonly ok: false; readonly findings: readonly Finding[] };

const expressionBytesMax = limits.badgeExpressionBytesMax;
const nameLengthMax = 200;
const namesMax = 100;

export function readBadge(value: unknown): ReadBadge {
  const reader = new ShapeReader();
  const badge = reader.badge(value);
  return badge && reader.findings.length === 0 ? { ok: true, badge } : { ok: false, findings: reader.findings };
}

// Equal badges have equal text; this text is stored, compared and served.
export function canonicalBadge(badge: Badge): string {
  return canonicalJson(badge);
}

// Names that every JavaScript object already has would reach into a careless client's prototypes.
export function isPrototypeName(name: string): boolean {
  return name in Object.prototype || name === "prototype";
}

class ShapeReader {
  readonly findings: Finding[] = [];

  badge(value: unknown): Badge | null {
    if (!isRecord(value)) return this.#wrong("A badge must be an object with engine, depends_on and expr.");
    this.#onlyKeys("badge", value, ["engine", "depends_on", "expr"]);
    if (value["engine"] !== "jsonata") this.#wrong('engine must be the string "jsonata".');
    const expr = this.#expression(value["expr"]);
    const dependsOn = this.#dependencies(value["depends_on"]);
    return expr !== null && dependsOn ? { engine: "jsonata", depends_on: dependsOn, expr } : null;
  }

  #expression(expr: unknown): string | null {
    if (typeof expr !== "string" || expr.trim() === "") {
      return this.#wrong("expr must be a JSONata expression: a non-empty string.");
    }
    if (!expr.isWellFormed()) return this.#wrong("expr contains half of a surrogate pair, which is not a character.");
    if (Buffer.byteLength(expr) > expressionBytesMax) {
      return this.#wrong(`expr is longer than ${expressionBytesMax} bytes.`);
    }
    return expr;
  }

  #dependencies(value: unknown): Dependencies | null {
    if (!isRecord(value)) {
      return this.#wrong("depends_on must be an object with the lists widgets, inputs and input_groups.");
    }
    this.#onlyKeys("depends_on", value, ["widgets", "inputs", "input_groups"]);
    const widgets = this.#list("widgets", value["widgets"]).map((widget) => this.#widget(widget));
    const inputs = this.#list("inputs", value["inputs"]).map((name) => this.#name("inputs", name));
    const groups = this.#list("input_groups", value["input_groups"]).map((name) => this.#name("input_groups", name));
    const distinct = (list: string, names: readonly string[]) => {
      const twice = names.find((name, at) => names.indexOf(name) !== at);
      if (twice !== undefined) this.#wrong(`depends_on.${list} names "${twice}" twice.`);
    };
    distinct(
      "widgets",
      widgets.map(({ name }) => name),
    );
    distinct("inputs", inputs);
    distinct("input_groups", groups);
    return { widgets, inputs, input_groups: groups };
  }

  #list(name: string, value: unknown): readonly unknown[] {
    if (!Array.isArray(value)) {
      this.#wrong(`depends_on.${name} must be an array. Leave it empty if there is nothing to name.`);
      return [];
    }
    if (value.length > namesMax) this.#wrong(`depends_on.${name} has more than ${namesMax} entries.`);
    return value.slice(0, namesMax);
  }

  #widget(value: unknown): { name: string; type: string } {
    if (!isRecord(value)) {
      this.#wrong("Each entry of depends_on.widgets must be an object with name and type.");
      return { name: "", type: "" };
    }
    this.#onlyKeys("widget", value, ["name", "type"]);
    return { name: this.#name("widgets", value["name"]), type: this.#name("widgets", value["type"]) };
  }

  #name(list: string, value: unknown): string {
    if (typeof value !== "string" || value === "" || !hasAtMost(value, nameLengthMax) || !value.isWellFormed()) {
      this.#wrong(`depends_on.${list}: names and types must be strings of 1 to ${nameLengthMax} characters.`);
      return "";
    }
    if (isPrototypeName(value))
      this.#wrong(`depends_on.${list}: "${value}" is a built-in property of every object. Use another name.`);
    return value;
  }

  #onlyKeys(what: string, value: Readonly<Record<string, unknown>>, allowed: readonly string[]): void {
    for (const key of Object.keys(value)) {
      if (!allowed.includes(key)) this.#wrong(`"${key}" is not part of a ${what}: only ${allowed.join(", ")}.`);
    }
  }

  #wrong(message: string): null {
    this.findings.push(failure("shape", message));
    return null;
  }
}
