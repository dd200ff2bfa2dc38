// A form for a JSON Schema, over a value that its owner keeps: every change makes a new value, and outside changes appear here.
// Errors are shown at their fields, from the browser's check and from the server alike.

import { Plus, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { uiForms as words } from "#strings/ui/forms";
import type { FieldFault } from "../../api/fault.ts";
import { isRecord } from "../../api/json-record.ts";
import { Button, IconButton } from "../button.tsx";
import { Select } from "../fields.tsx";
import kit from "../kit.module.css";
import { aboutOf, type FieldProps } from "./field-props.ts";
import { FileInput } from "./file-field.tsx";
import { JsonInput } from "./json-field.tsx";
import { type FieldKind, fieldKind, groupsOf, isAuthored, type Member, type Schema } from "./json-schema.ts";
import { BooleanInput, ChoiceInput, ColorInput, NumberInput, TextInput } from "./scalar-fields.tsx";
import styles from "./schema-form.module.css";
import { startsWith, withValueAt } from "./values.ts";

export function SchemaForm(props: {
  readonly schema: Schema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly faults?: readonly FieldFault[];
}): ReactNode {
  const { schema, value, onChange, faults = [] } = props;
  const is = fieldKind(schema, schema);
  const own = { name: "", path: [], schema, root: schema, isRequired: true, value, onChange, faults, depth: 0 };
  if (is.kind !== "object") return <SchemaField {...own} name={words.input} />;
  return <Members {...own} members={is.members} />;
}

export function SchemaField(props: FieldProps): ReactNode {
  const is = fieldKind(props.schema, props.root, props.name, props.depth);
  switch (is.kind) {
    case "text":
      return <TextInput {...props} is={is} />;
    case "file":
      return <FileInput {...props} is={is} />;
    case "integer":
      return <NumberInput {...props} is={is} />;
    case "number":
      return <NumberInput {...props} is={is} />;
    case "color":
      return <ColorInput {...props} />;
    case "boolean":
      return <BooleanInput {...props} is={is} />;
    case "choice":
      return <ChoiceInput {...props} is={is} />;
    case "list":
      return <ListInput {...props} is={is} />;
    case "object":
      return <ObjectInput {...props} members={is.members} />;
    case "alternatives":
      return <AlternativesInput {...props} is={is} />;
    default:
      return <JsonInput {...props} />;
  }
}

// This many fields are easy to take in; optional ones after them are collapsed.
const shownAtOnce = 6;

function Members(props: FieldProps & { readonly members: readonly Member[] }): ReactNode {
  const { members } = props;
  if (isAuthored(members)) return <AuthoredMembers {...props} />;
  const needed = members.filter(({ isRequired }) => isRequired).length;
  const isFolding = members.length > shownAtOnce + 1;
  const shown = isFolding ? members.slice(0, Math.max(needed, shownAtOnce)) : members;
  return (
    <div className={styles.members}>
      <Fields {...props} members={shown} />
      <FoldedMembers {...props} members={members.slice(shown.length)} />
    </div>
  );
}

// The form of a work: everything that its author chose, in groups.
function AuthoredMembers(props: FieldProps & { readonly members: readonly Member[] }): ReactNode {
  const { groups, rest } = groupsOf(props.members);
  return (
    <div className={styles.members}>
      {groups.map(({ label, members }) =>
        label === null ? (
          <Fields key={members[0]?.name} {...props} members={members} />
        ) : (
          <fieldset key={members[0]?.name} className={styles.section}>
            <legend>{label}</legend>
            <div className={styles.members}>
              <Fields {...props} members={members} />
            </div>
          </fieldset>
        ),
      )}
      <FoldedMembers {...props} members={rest} />
    </div>
  );
}

function FoldedMembers(props: FieldProps & { readonly members: readonly Member[] }): ReactNode {
  const { members, value, path, faults } = props;
  const [isOpen, setOpen] = useState(false);
  if (members.length === 0) return null;
  const record = isRecord(value) ? value : {};
  const isUsed = members.some(
    ({ name }) => record[name] !== undefined || faults.some((fault) => startsWith(fault.path, [...path, name])),
  );
  return (
    <details className={styles.more} open={isOpen || isUsed} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.more(members.length)}</summary>
      <div className={styles.members}>
        <Fields {...props} members={members} />
      </div>
    </details>
  );
}

function Fields(props: FieldProps & { readonly members: readonly Member[] }): ReactNode {
  const { value, path, faults } = props;
  const record = isRecord(value) ? value : {};
  return props.members.map(({ name, schema, isRequired }) => (
    <SchemaField
      key={name}
      name={name}
      path={[...path, name]}
      schema={schema}
      root={props.root}
      isRequired={isRequired}
      value={Object.hasOwn(record, name) ? record[name] : undefined}
      onChange={(next) => props.onChange(withValueAt(value, [name], next))}
      faults={faults}
      depth={props.depth + 1}
    />
  ));
}

function Group({ of, children }: { readonly of: FieldProps; readonly children: ReactNode }): ReactNode {
  const { label, hint, wrong } = aboutOf(of);
  return (
    <fieldset className={styles.group}>
      <legend>
        {label}
        {of.isRequired ? (
          <span className={kit.required} aria-hidden="true">
            {" *"}
          </span>
        ) : null}
        {of.aside}
      </legend>
      {hint ? <p className={kit.hint}>{hint}</p> : null}
      {wrong ? <p className={kit.wrong}>{wrong}</p> : null}
      {children}
    </fieldset>
  );
}

function ObjectInput(props: FieldProps & { readonly members: readonly Member[] }): ReactNode {
  return (
    <Group of={props}>
      <Members {...props} />
    </Group>
  );
}

function ListInput(props: FieldProps & { readonly is: Extract<FieldKind, { kind: "list" }> }): ReactNode {
  const { label } = aboutOf(props);
  const { is, value, path, onChange, isRequired } = props;
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const set = (next: readonly unknown[]) => onChange(next.length === 0 && !isRequired ? undefined : next);
  const isFull = is.most !== null && entries.length >= is.most;
  return (
    <Group of={props}>
      {entries.map((entry, at) => (
        <SchemaField
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry is its position
          key={at}
          name={`${props.name} ${at + 1}`}
          path={[...path, at]}
          schema={is.items}
          root={props.root}
          isRequired={true}
          value={entry}
          onChange={(next) => set(next === undefined ? entries.with(at, null) : entries.with(at, next))}
          faults={props.faults}
          depth={props.depth + 1}
          aside={
            <IconButton small label={words.removeEntry(label, at + 1)} onClick={() => set(entries.toSpliced(at, 1))}>
              <X aria-hidden="true" />
            </IconButton>
          }
        />
      ))}
      <div>
        <Button
          small
          why={isFull ? words.check.more(String(is.most)) : null}
          onClick={() => set([...entries, emptyOf(fieldKind(is.items, props.root, props.name))])}
        >
          <Plus aria-hidden="true" />
          {words.add}
        </Button>
      </div>
    </Group>
  );
}

function emptyOf(is: FieldKind): unknown {
  if (is.kind === "object") return {};
  if (is.kind === "list") return [];
  if (is.kind === "boolean") return false;
  if (is.kind === "integer" || is.kind === "number") return is.least ?? 0;
  return is.kind === "choice" ? is.values[0] : "";
}

function AlternativesInput(
  props: FieldProps & { readonly is: Extract<FieldKind, { kind: "alternatives" }> },
): ReactNode {
  const { is, value, schema } = props;
  const { label } = aboutOf(props);
  const id = useId();
  const fitting = is.of.findIndex((each) => fits(fieldKind(each.schema, props.root), value));
  const [picked, setPicked] = useState(Math.max(0, fitting));
  const at = value === undefined || fitting < 0 ? picked : fitting;
  const chosen = is.of[at];
  // The union's own keywords, merged into the chosen form.
  const own = Object.fromEntries(
    ["title", "description", "default"].flatMap((word) => (word in schema ? [[word, schema[word]]] : [])),
  );
  return (
    <div className={styles.alternatives} id={id}>
      {chosen === undefined ? null : (
        <SchemaField
          {...props}
          key={at}
          schema={{ ...chosen.schema, ...own }}
          aside={
            <>
              <Select
                className={styles.form}
                label={words.alternative(label)}
                choices={is.of.map((each, index) => ({ value: String(index), label: each.label }))}
                value={String(at)}
                onChange={(event) => {
                  setPicked(Number(event.target.value));
                  props.onChange(undefined);
                }}
              />
              {props.aside}
            </>
          }
        />
      )}
    </div>
  );
}

function fits(is: FieldKind, value: unknown): boolean {
  switch (is.kind) {
    case "text":
    case "file":
    case "color":
      return typeof value === "string";
    case "choice":
      return is.values.includes(value);
    case "integer":
      return typeof value === "bigint" || Number.isInteger(value);
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "list":
      return Array.isArray(value);
    case "object":
      return isRecord(value) && Object.keys(value).every((name) => is.members.some((member) => member.name === name));
    default:
      return isRecord(value);
  }
}
