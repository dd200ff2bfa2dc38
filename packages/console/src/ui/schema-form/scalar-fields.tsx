// Fields with a single value. We keep the text as typed, and next to it the value that is sent.

import { Dices } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { uiForms as words } from "#strings/ui/forms";
import { IconButton } from "../button.tsx";
import { CheckField, Field, SelectField, TextArea, TextField } from "../fields.tsx";
import kit from "../kit.module.css";
import { aboutOf, type FieldProps } from "./field-props.ts";
import type { FieldKind } from "./json-schema.ts";
import styles from "./schema-form.module.css";
import { integerOf, numberOf, randomSeed } from "./values.ts";

type Of<Kind extends FieldKind["kind"]> = FieldProps & { readonly is: Extract<FieldKind, { kind: Kind }> };

export function TextInput(props: Of<"text">): ReactNode {
  const { preset: _preset, ...about } = aboutOf(props);
  const { is, onChange, isRequired } = props;
  const shared = {
    ...about,
    value: textOf(props.value),
    // An empty optional text is omitted.
    onChange: (event: { readonly target: { readonly value: string } }) =>
      onChange(event.target.value === "" && !isRequired ? undefined : event.target.value),
  };
  return is.isLong ? <TextArea rows={3} {...shared} /> : <TextField spellCheck={false} {...shared} />;
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

// A slider, if both ends are known and close enough to aim.
const sliderStepsMax = 4_096;

export function NumberInput(props: Of<"integer"> | Of<"number">): ReactNode {
  const { is, value, onChange } = props;
  const { preset, placeholder, ...about } = aboutOf(props);
  const read = is.kind === "integer" ? integerOf : numberOf;
  const [text, setText] = useState(() => textOf(value));
  useEffect(() => {
    // Changed from elsewhere (JSON, a link, the dice): show the new value.
    setText((shown) => (Object.is(read(shown), value) ? shown : textOf(value)));
  }, [value, read]);
  const step = is.step ?? (is.kind === "integer" ? 1 : niceStep(is.least, is.most));
  const isSliding =
    is.least !== null && is.most !== null && (is.most - is.least) / step <= sliderStepsMax && is.most > is.least;
  const isSeed = is.kind === "integer" && is.isSeed;
  return (
    <Field {...about}>
      {(ties) => (
        <div className={styles.numberRow} data-sliding={isSliding}>
          <input
            {...ties}
            className={kit.input}
            type="text"
            inputMode={is.kind === "integer" ? "numeric" : "decimal"}
            autoComplete="off"
            spellCheck={false}
            placeholder={isSeed && preset === undefined ? words.random : placeholder}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              onChange(read(event.target.value));
            }}
          />
          {isSliding ? (
            <input
              type="range"
              className={styles.slider}
              data-unset={value === undefined && preset === undefined}
              aria-label={words.slider(about.label)}
              min={is.least ?? 0}
              max={is.most ?? 0}
              step={step}
              value={Number(value ?? preset ?? is.least ?? 0) || (is.least ?? 0)}
              onChange={(event) => onChange(read(event.target.value))}
            />
          ) : null}
          {isSeed ? (
            <IconButton label={words.randomSeed} onClick={() => onChange(randomSeed(is.most))}>
              <Dices aria-hidden="true" />
            </IconButton>
          ) : null}
        </div>
      )}
    </Field>
  );
}

function niceStep(least: number | null, most: number | null): number {
  if (least === null || most === null) return 0.1;
  return 10 ** Math.floor(Math.log10(Math.max(most - least, 1e-6) / 50));
}

// The picker and the text are one value: #rrggbb.
export function ColorInput(props: FieldProps): ReactNode {
  const { preset, ...about } = aboutOf(props);
  const text = textOf(props.value);
  const shown = [text, textOf(preset)].find((each) => /^#[\da-f]{6}$/i.test(each)) ?? "#000000";
  return (
    <Field {...about}>
      {(ties) => (
        <div className={styles.colorRow}>
          <input
            type="color"
            className={styles.swatch}
            aria-label={words.picker(about.label)}
            value={shown.toLowerCase()}
            onChange={(event) => props.onChange(event.target.value)}
          />
          <input
            {...ties}
            type="text"
            className={kit.input}
            spellCheck={false}
            placeholder={about.placeholder}
            value={text}
            onChange={({ target }) =>
              props.onChange(target.value === "" && !props.isRequired ? undefined : target.value)
            }
          />
        </div>
      )}
    </Field>
  );
}

export function BooleanInput(props: Of<"boolean">): ReactNode {
  const { label, hint, wrong, preset } = aboutOf(props);
  const { value, onChange } = props;
  const isOn = value === undefined ? preset === true : value === true;
  return (
    <div className={styles.switchRow}>
      <CheckField
        label={label}
        hint={wrong ? `${wrong} ${hint ?? ""}` : hint}
        aria-invalid={wrong ? true : undefined}
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
      {props.aside}
    </div>
  );
}

export function ChoiceInput(props: Of<"choice">): ReactNode {
  const { preset, placeholder: _none, ...about } = aboutOf(props);
  const { is, value, onChange, isRequired } = props;
  const at = is.values.indexOf(value);
  const left = preset === undefined ? "–" : words.preset(String(preset));
  const isForeign = at < 0 && value !== undefined;
  const choices = [
    ...(isRequired && value !== undefined ? [] : [{ value: "", label: isRequired ? words.choose : left }]),
    ...(isForeign ? [{ value: "foreign", label: words.notListed(textOf(value).slice(0, 60)) }] : []),
    ...is.values.map((each, index) => ({ value: String(index), label: textOf(each) })),
  ];
  return (
    <SelectField
      {...about}
      choices={choices}
      value={isForeign ? "foreign" : at < 0 ? "" : String(at)}
      onChange={(event) => onChange(event.target.value === "" ? undefined : is.values[Number(event.target.value)])}
    />
  );
}
