import type { ReactNode } from "react";
import type { FieldFault } from "../../api/fault.ts";
import { type Path, type Schema, titleOf, withoutNull } from "./json-schema.ts";
import { samePath } from "./values.ts";

export interface FieldProps {
  readonly name: string;
  readonly path: Path;
  readonly schema: Schema;
  // The document in which references resolve.
  readonly root: Schema;
  readonly isRequired: boolean;
  readonly value: unknown;
  // undefined omits the field.
  readonly onChange: (value: unknown) => void;
  readonly faults: readonly FieldFault[];
  readonly depth: number;
  // Next to the label: the button that removes a list entry.
  readonly aside?: ReactNode;
}

// Label, hint and error, as every control shows them.
export function aboutOf(props: FieldProps) {
  const { schema } = withoutNull(props.schema, props.root);
  const said = typeof schema["description"] === "string" ? schema["description"] : "";
  const preset = schema["default"];
  const isShort = preset !== undefined && preset !== null && typeof preset !== "object" && String(preset).length < 60;
  return {
    label: titleOf(props.name, schema),
    hint: said.length > 300 ? `${said.slice(0, 297)}…` : said || undefined,
    required: props.isRequired,
    wrong: faultAt(props.faults, props.path),
    aside: props.aside,
    placeholder: isShort ? String(preset) : exampleOf(schema),
    preset,
  };
}

export function faultAt(faults: readonly FieldFault[], path: Path): string | null {
  const words = faults.filter((fault) => samePath(fault.path, path)).map(({ message }) => message);
  return words.length === 0 ? null : words.join(" ");
}

function exampleOf(schema: Schema): string | undefined {
  const [first] = Array.isArray(schema["examples"]) ? schema["examples"] : [];
  return typeof first === "string" || typeof first === "number" ? String(first).slice(0, 80) : undefined;
}
