// What can be said about one input: its words, its limits, its default.
import type { WorkInput } from "@atelier/sdk";
import { type ReactNode, useId, useState } from "react";
import { workForm } from "#strings/works/form";
import type { FieldFault } from "../../../api/fault.ts";
import { CheckField, TextArea, TextField } from "../../../ui/fields.tsx";
import { faultAt } from "../../../ui/schema-form/field-props.ts";
import { SchemaField } from "../../../ui/schema-form/schema-form.tsx";
import { inputSchema } from "../../../ui/work-form/form-schema.ts";
import styles from "./form.module.css";
import { choicesIn } from "./form-draft.ts";

const words = workForm.settings;

interface SettingsProps {
  readonly input: WorkInput;
  readonly faults: readonly FieldFault[];
  // The groups that the form has so far.
  readonly groups: readonly string[];
  readonly onChange: (change: Readonly<Record<string, unknown>>) => void;
}

export function InputSettings(props: SettingsProps): ReactNode {
  const { input, faults, onChange } = props;
  const known = useId();
  const text = (name: "label" | "description" | "group") => ({
    value: input[name] ?? "",
    wrong: faultAt(faults, [name]),
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onChange({ [name]: target.value === "" ? undefined : target.value }),
  });
  return (
    <div className={styles.settings}>
      <div className={styles.pair}>
        <TextField label={words.label} hint={words.labelHint} maxLength={100} {...text("label")} />
        <TextField
          label={words.name}
          hint={words.nameHint}
          spellCheck={false}
          maxLength={64}
          value={input.name}
          wrong={faultAt(faults, ["name"])}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      </div>
      <TextArea label={words.description} rows={2} maxLength={1_000} {...text("description")} />
      <TextField label={words.group} hint={words.groupHint} maxLength={100} list={known} {...text("group")} />
      <datalist id={known}>
        {props.groups.map((group) => (
          <option key={group} value={group} />
        ))}
      </datalist>
      <Rules {...props} />
    </div>
  );
}

// Only what the kind of the input knows.
function Rules(props: SettingsProps): ReactNode {
  const { input, onChange } = props;
  const isNumber = input.kind === "integer" || input.kind === "number";
  const isText = input.kind === "text";
  const hasDefault = input.required !== true && input.random !== true;
  return (
    <>
      {input.kind === "choice" ? <ChoicesField {...props} /> : null}
      {isNumber || isText ? (
        <div className={styles.triple}>
          <Bound {...props} name="minimum" label={isText ? words.fewest : words.minimum} />
          <Bound {...props} name="maximum" label={isText ? words.most : words.maximum} />
          {isNumber ? <Bound {...props} name="step" label={words.step} /> : null}
        </div>
      ) : null}
      <div className={styles.checks}>
        <CheckField
          label={words.required}
          hint={words.requiredHint}
          checked={input.required === true}
          onChange={({ target }) =>
            onChange({ required: target.checked ? true : undefined, ...(target.checked ? { random: undefined } : {}) })
          }
        />
        {input.kind === "integer" ? (
          <CheckField
            label={words.random}
            hint={words.randomHint}
            checked={input.random === true}
            onChange={({ target }) =>
              onChange({
                random: target.checked ? true : undefined,
                ...(target.checked ? { required: undefined } : {}),
              })
            }
          />
        ) : null}
        {isText ? (
          <CheckField
            label={words.multiline}
            checked={input.multiline === true}
            onChange={({ target }) => onChange({ multiline: target.checked ? true : undefined })}
          />
        ) : null}
      </div>
      {hasDefault ? <DefaultField {...props} /> : null}
    </>
  );
}

function Bound(
  props: SettingsProps & { readonly name: "minimum" | "maximum" | "step"; readonly label: string },
): ReactNode {
  const { input, name, label, faults, onChange } = props;
  const type = input.kind === "number" ? "number" : "integer";
  return (
    <SchemaField
      name={name}
      path={[name]}
      schema={{ type, title: label }}
      root={{}}
      isRequired={false}
      value={input[name]}
      faults={faults}
      depth={0}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
}

// The very field that people will see, in its own words.
function DefaultField({ input, faults, onChange }: SettingsProps): ReactNode {
  const { default: _own, description: _said, ...schema } = inputSchema(input);
  return (
    <SchemaField
      name="default"
      path={["default"]}
      schema={{ ...schema, title: words.default }}
      root={{}}
      isRequired={false}
      value={input.default}
      faults={faults}
      depth={0}
      onChange={(value) => onChange({ default: value })}
    />
  );
}

function ChoicesField({ input, faults, onChange }: SettingsProps): ReactNode {
  // As typed: an empty line is on its way to being a choice.
  const [text, setText] = useState(() => (input.choices ?? []).join("\n"));
  const [before] = useState(input.choices);
  return (
    <TextArea
      label={words.choices}
      hint={words.choicesHint}
      rows={Math.min(8, Math.max(3, (input.choices ?? []).length))}
      spellCheck={false}
      value={text}
      wrong={faultAt(faults, ["choices"])}
      onChange={({ target }) => {
        setText(target.value);
        onChange({ choices: choicesIn(target.value, before) });
      }}
    />
  );
}
