// A readable JSON Schema: each member with its type, its bounds and its description.

import { type ReactNode, useState } from "react";
import { uiViewers } from "#strings/ui/viewers";
import { isRecord } from "../../api/json-record.ts";
import { Chip } from "../chip.tsx";
import kit from "../kit.module.css";
import { InlineCode } from "../text/inline-code.tsx";
import { type Member, membersOf, resolved, type Schema, withoutNull } from "./json-schema.ts";
import styles from "./schema-tree.module.css";

const words = uiViewers.schema;
const depthMax = 8;

export function SchemaTree(props: { readonly schema: Schema; readonly label: string }): ReactNode {
  const schema = resolved(props.schema, props.schema);
  const parts = partsOf(schema, props.schema);
  if (parts.length === 0)
    return (
      <p className={kit.soft}>
        <InlineCode text={textIn(schema, "description") || words.none} />
      </p>
    );
  return (
    <ul className={styles.tree} aria-label={props.label}>
      {parts.map((part) => (
        <Part key={part.name} {...part} root={props.schema} depth={0} />
      ))}
    </ul>
  );
}

function Part(props: Member & { readonly root: Schema; readonly depth: number }): ReactNode {
  const { schema, isNullable } = withoutNull(props.schema, props.root);
  const parts = props.depth < depthMax ? partsOf(schema, props.root) : [];
  const [isOpen, setOpen] = useState(props.depth < 1);
  const description = textIn(schema, "description");
  return (
    <li className={styles.part}>
      <div className={styles.line}>
        <code className={styles.name}>{props.name}</code>
        <span className={styles.type}>
          {isNullable ? words.orNull(typeOf(schema, props.root)) : typeOf(schema, props.root)}
        </span>
        {props.isRequired ? <Chip tone="accent">{words.required}</Chip> : null}
        <span className={kit.soft}>{rulesOf(schema)}</span>
      </div>
      {description ? (
        <p className={styles.said}>
          <InlineCode text={description} />
        </p>
      ) : null}
      {parts.length > 0 ? (
        <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{words.parts(parts.length)}</summary>
          {isOpen ? (
            <ul className={styles.tree}>
              {parts.map((part) => (
                <Part key={part.name} {...part} root={props.root} depth={props.depth + 1} />
              ))}
            </ul>
          ) : null}
        </details>
      ) : null}
    </li>
  );
}

function partsOf(schema: Schema, root: Schema): Member[] {
  const own = membersOf(schema, root);
  if (own.length > 0) return own;
  const { items } = schema;
  if (isRecord(items)) {
    const each = resolved(items, root);
    const inner = membersOf(each, root);
    return inner.length > 0 ? inner : [];
  }
  const forms = [schema["oneOf"], schema["anyOf"]].find(Array.isArray) ?? [];
  return forms.filter(isRecord).map((form, at) => ({
    name: textIn(form, "title") || words.variant(at + 1),
    schema: resolved(form, root),
    isRequired: false,
  }));
}

function typeOf(schema: Schema, root: Schema): string {
  if (Array.isArray(schema["enum"])) return schema["enum"].map((each) => JSON.stringify(each)).join(" | ");
  if ("const" in schema) return JSON.stringify(schema["const"]);
  const { type, items } = schema;
  if (type === "array") return words.listOf(isRecord(items) ? typeOf(resolved(items, root), root) : words.anything);
  if (Array.isArray(type)) return words.oneOfTypes(type);
  if (typeof type === "string") return type;
  return "oneOf" in schema || "anyOf" in schema ? words.variants : words.anything;
}

const rules: readonly (readonly [word: string, say: (value: string) => string])[] = [
  ["minimum", (value) => `≥ ${value}`],
  ["exclusiveMinimum", (value) => `> ${value}`],
  ["maximum", (value) => `≤ ${value}`],
  ["exclusiveMaximum", (value) => `< ${value}`],
  ["multipleOf", words.multipleOf],
  ["minLength", (value) => (value === "1" ? words.notEmpty : words.atLeastCharacters(value))],
  ["maxLength", words.atMostCharacters],
  ["minItems", words.atLeast],
  ["maxItems", words.atMost],
  ["pattern", words.like],
  ["format", (value) => value],
  ["default", words.preset],
];

function rulesOf(schema: Schema): string {
  return rules
    .flatMap(([word, say]) => {
      const value = schema[word];
      if (value === undefined || value === null) return [];
      return [say(typeof value === "object" ? JSON.stringify(value) : String(value))];
    })
    .join(" · ");
}

const textIn = (schema: Schema, name: string): string => {
  const text = schema[name];
  return typeof text === "string" ? text : "";
};
