// What the work gives back: every node that saves something can be an output.
import type { WorkForm, WorkOutput } from "@atelier/sdk";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { workForm } from "#strings/works/form";
import type { FieldFault } from "../../../api/fault.ts";
import { type Graph, titleOf } from "../../../api/graphs.ts";
import { IconButton } from "../../../ui/button.tsx";
import { CheckField, TextField } from "../../../ui/fields.tsx";
import kit from "../../../ui/kit.module.css";
import { Panel } from "../../../ui/panel.tsx";
import { faultAt } from "../../../ui/schema-form/field-props.ts";
import styles from "./form.module.css";
import { addOutput, changeOutput, hasOutput, moveOutput, removeOutput } from "./form-draft.ts";

const words = workForm.outputs;

interface OutputsProps {
  readonly form: WorkForm;
  readonly onForm: (form: WorkForm) => void;
  readonly graph: Graph;
  readonly all: readonly WorkOutput[];
  readonly faults: readonly FieldFault[];
}

export function ChosenOutputs(props: OutputsProps): ReactNode {
  const { form, all } = props;
  const wrong = faultAt(props.faults, ["outputs"]);
  const others = all.filter(({ node }) => !hasOutput(form, node));
  return (
    <Panel title={words.title(form.outputs.length)} flush>
      {wrong ? <p className={styles.refusal}>{wrong}</p> : null}
      {form.outputs.length + all.length === 0 ? <p className={styles.nothing}>{words.none}</p> : null}
      <ul className={styles.chosen}>
        {form.outputs.map((output, at) => (
          <OneOutput key={output.node} {...props} output={output} at={at} />
        ))}
        {others.map((output) => (
          <OneOutput key={output.node} {...props} output={output} at={null} />
        ))}
      </ul>
    </Panel>
  );
}

// `at` is null if it is not chosen.
function OneOutput(props: OutputsProps & { readonly output: WorkOutput; readonly at: number | null }): ReactNode {
  const { output, at, form, onForm } = props;
  const title = titleOf(props.graph[output.node], output.node);
  return (
    <li className={styles.output} data-output={output.node}>
      <div className={styles.inputRow}>
        <CheckField
          label={
            <>
              <strong>{title}</strong> <span className={kit.soft}>{words.node(output.node)}</span>
            </>
          }
          aria-label={words.pick(title)}
          checked={at !== null}
          onChange={() => onForm(at === null ? addOutput(form, output) : removeOutput(form, output.node))}
        />
        {at === null ? null : (
          <div className={styles.moves}>
            <IconButton
              small
              label={words.up(title)}
              disabled={at === 0}
              onClick={() => onForm(moveOutput(form, at, at - 1))}
            >
              <ArrowUp aria-hidden="true" />
            </IconButton>
            <IconButton
              small
              label={words.down(title)}
              disabled={at === form.outputs.length - 1}
              onClick={() => onForm(moveOutput(form, at, at + 1))}
            >
              <ArrowDown aria-hidden="true" />
            </IconButton>
          </div>
        )}
      </div>
      {at === null ? null : <OutputFields {...props} at={at} />}
    </li>
  );
}

function OutputFields(props: OutputsProps & { readonly output: WorkOutput; readonly at: number }): ReactNode {
  const { output, at, form, onForm, faults } = props;
  return (
    <div className={styles.pair}>
      <TextField
        label={workForm.settings.label}
        maxLength={100}
        value={output.label ?? ""}
        wrong={faultAt(faults, ["outputs", at, "label"])}
        onChange={({ target }) => onForm(changeOutput(form, at, { label: target.value || undefined }))}
      />
      <TextField
        label={workForm.settings.name}
        spellCheck={false}
        maxLength={64}
        value={output.name}
        wrong={faultAt(faults, ["outputs", at, "name"]) ?? faultAt(faults, ["outputs", at, "node"])}
        onChange={({ target }) => onForm(changeOutput(form, at, { name: target.value }))}
      />
    </div>
  );
}
