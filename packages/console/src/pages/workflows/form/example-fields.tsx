// The examples that run when a work is published.
import { writeJson } from "@atelier/sdk";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { workForm } from "#strings/works/form";
import type { Input } from "../../../api/model-calls/model-run.ts";
import { IconButton } from "../../../ui/button.tsx";
import { CheckField } from "../../../ui/fields.tsx";
import { keyed } from "../../../ui/keyed.ts";
import kit from "../../../ui/kit.module.css";
import styles from "./form.module.css";
import type { Example } from "./publishing.ts";

const words = workForm.publish;

export function ExampleFields(props: {
  readonly examples: readonly Example[];
  readonly onExamples: (examples: readonly Example[]) => void;
  readonly runsDefaults: boolean;
  readonly onRunsDefaults: (runsDefaults: boolean) => void;
  readonly refused: ReadonlyMap<number, string>;
}): ReactNode {
  const { examples, onExamples } = props;
  return (
    <fieldset className={styles.examples}>
      <legend className={kit.label}>{words.examples}</legend>
      <p className={kit.hint}>{words.examplesText}</p>
      {examples.length === 0 ? (
        <CheckField
          label={words.runsDefaults}
          hint={words.runsDefaultsHint}
          checked={props.runsDefaults}
          onChange={({ target }) => props.onRunsDefaults(target.checked)}
        />
      ) : null}
      {keyed(examples, ({ inputs }) => writeJson(inputs)).map(([key, { title, inputs }], at) => (
        <div key={key} className={styles.example}>
          <div className={styles.exampleRow}>
            <input
              type="text"
              className={kit.input}
              aria-label={words.exampleTitle(at + 1)}
              placeholder={words.exampleHint}
              maxLength={100}
              value={title}
              onChange={({ target }) => onExamples(examples.with(at, { title: target.value, inputs }))}
            />
            <IconButton small label={words.removeExample(at + 1)} onClick={() => onExamples(examples.toSpliced(at, 1))}>
              <X aria-hidden="true" />
            </IconButton>
          </div>
          <code className={styles.exampleInputs}>{shortOf(inputs)}</code>
          {props.refused.has(at) ? <p className={kit.wrong}>{props.refused.get(at)}</p> : null}
        </div>
      ))}
    </fieldset>
  );
}

// A file in it would fill the dialog.
function shortOf(inputs: Input): string {
  const parts = Object.entries(inputs).map(([name, value]) => {
    const text = typeof value === "string" ? value : writeJson(value);
    return `${name}: ${text.length > 60 ? `${text.slice(0, 57)}…` : text}`;
  });
  return parts.length === 0 ? words.noInputs : parts.join("\n");
}
