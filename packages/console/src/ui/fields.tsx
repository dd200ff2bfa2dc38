// One field: its label, its hint, its error and the control between them, connected for screen readers.
import { CircleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";
import kit from "./kit.module.css";
import { InlineCode } from "./text/inline-code.tsx";

export interface FieldAbout {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly wrong?: string | null | undefined;
  readonly required?: boolean | undefined;
  // Next to the label, at the end of its line.
  readonly aside?: ReactNode;
}

export interface ControlTies {
  readonly id: string;
  readonly "aria-invalid"?: true;
  readonly "aria-describedby"?: string;
  readonly required?: true;
}

export function Field(props: FieldAbout & { readonly children: (ties: ControlTies) => ReactNode }): ReactNode {
  const id = useId();
  const described = [props.hint ? `${id}-hint` : null, props.wrong ? `${id}-wrong` : null].filter(Boolean).join(" ");
  return (
    <div className={kit.field}>
      <div className={kit.labelRow}>
        <label className={kit.label} htmlFor={id}>
          {props.label}
          {props.required ? (
            <span className={kit.required} aria-hidden="true">
              {" *"}
            </span>
          ) : null}
        </label>
        {props.aside ? <div className={kit.labelAside}>{props.aside}</div> : null}
      </div>
      {props.children({
        id,
        ...(props.wrong ? { "aria-invalid": true } : {}),
        ...(described === "" ? {} : { "aria-describedby": described }),
        ...(props.required ? { required: true } : {}),
      })}
      {props.hint ? (
        <div className={kit.hint} id={`${id}-hint`}>
          <Hint of={props.hint} />
        </div>
      ) : null}
      {props.wrong ? (
        <div className={kit.wrong} id={`${id}-wrong`}>
          <CircleAlert aria-hidden="true" size={14} style={{ flex: "none", translate: "0 2px" }} />
          {props.wrong}
        </div>
      ) : null}
    </div>
  );
}

function Hint({ of }: { readonly of: ReactNode }): ReactNode {
  return typeof of === "string" ? <InlineCode text={of} /> : of;
}

export function TextField({
  label,
  hint,
  wrong,
  required,
  aside,
  ...rest
}: FieldAbout & Omit<ComponentProps<"input">, "id">): ReactNode {
  return (
    <Field label={label} hint={hint} wrong={wrong} required={required} aside={aside}>
      {(ties) => <input type="text" {...rest} {...ties} className={kit.input} />}
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  wrong,
  required,
  aside,
  ...rest
}: FieldAbout & Omit<ComponentProps<"textarea">, "id">): ReactNode {
  return (
    <Field label={label} hint={hint} wrong={wrong} required={required} aside={aside}>
      {(ties) => <textarea {...rest} {...ties} className={kit.input} />}
    </Field>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function SelectField({
  label,
  hint,
  wrong,
  required,
  aside,
  choices,
  ...rest
}: FieldAbout & Omit<ComponentProps<"select">, "id"> & { readonly choices: readonly Choice[] }): ReactNode {
  return (
    <Field label={label} hint={hint} wrong={wrong} required={required} aside={aside}>
      {(ties) => (
        <select {...rest} {...ties} className={kit.input}>
          <Choices of={choices} />
        </select>
      )}
    </Field>
  );
}

// A select whose label only screen readers see, for filters in a row.
export function Select({
  label,
  choices,
  className,
  ...rest
}: Omit<ComponentProps<"select">, "id"> & { readonly label: string; readonly choices: readonly Choice[] }): ReactNode {
  return (
    <select
      aria-label={label}
      {...rest}
      className={classNames(kit.input, className)}
      style={{ width: "auto", ...rest.style }}
    >
      <Choices of={choices} />
    </select>
  );
}

function Choices({ of }: { readonly of: readonly Choice[] }): ReactNode {
  return of.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

export function CheckField({
  label,
  hint,
  ...rest
}: { readonly label: ReactNode; readonly hint?: ReactNode } & Omit<ComponentProps<"input">, "type">): ReactNode {
  const id = useId();
  return (
    <div>
      <label className={kit.check}>
        <input type="checkbox" {...rest} {...(hint ? { "aria-describedby": id } : {})} />
        <span>{label}</span>
      </label>
      {hint ? (
        <div className={kit.hint} id={id}>
          <Hint of={hint} />
        </div>
      ) : null}
    </div>
  );
}
