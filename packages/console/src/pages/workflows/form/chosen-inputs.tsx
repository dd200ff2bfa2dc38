// The inputs of the form, in the order in which people see them. Each opens to its settings.
import type { WorkForm, WorkInput } from "@atelier/sdk";
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { workForm } from "#strings/works/form";
import type { FieldFault } from "../../../api/fault.ts";
import { type Graph, titleOf } from "../../../api/graphs.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import kit from "../../../ui/kit.module.css";
import { Panel } from "../../../ui/panel.tsx";
import { startsWith } from "../../../ui/schema-form/values.ts";
import styles from "./form.module.css";
import { changeInput, keyOf, moveInput, removeInput } from "./form-draft.ts";
import { InputSettings } from "./input-settings.tsx";

const words = workForm.inputs;

interface ChosenProps {
  readonly form: WorkForm;
  readonly onForm: (form: WorkForm) => void;
  readonly graph: Graph;
  readonly faults: readonly FieldFault[];
}

export function ChosenInputs(props: ChosenProps): ReactNode {
  const { form, onForm } = props;
  const [open, setOpen] = useState<string | null>(null);
  // Read out after a move, because nothing else says where it went.
  const [said, setSaid] = useState("");
  return (
    <Panel title={words.title(form.inputs.length)} flush>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {form.inputs.length === 0 ? <p className={styles.nothing}>{words.empty}</p> : null}
      <ol className={styles.chosen}>
        {form.inputs.map((input, at) => (
          <OneInput
            key={keyOf(input)}
            {...props}
            input={input}
            at={at}
            isOpen={open === keyOf(input)}
            onOpen={() => setOpen(open === keyOf(input) ? null : keyOf(input))}
            onMove={(to) => {
              onForm(moveInput(form, at, to));
              setSaid(words.moved(input.label ?? input.name, to + 1, form.inputs.length));
            }}
          />
        ))}
      </ol>
    </Panel>
  );
}

function OneInput(
  props: ChosenProps & {
    readonly input: WorkInput;
    readonly at: number;
    readonly isOpen: boolean;
    readonly onOpen: () => void;
    readonly onMove: (to: number) => void;
  },
): ReactNode {
  const { input, at, form, onForm, isOpen } = props;
  const label = input.label ?? input.name;
  const own = props.faults.filter(({ path }) => startsWith(path, ["inputs", at]));
  // Refused as a whole, or for something that has no field here.
  const general = own.filter(({ path }) => path.length < 3 || !fields.has(String(path[2])));
  return (
    <li className={styles.input} data-input={input.name} data-wrong={own.length > 0}>
      <div className={styles.inputRow}>
        <button type="button" className={styles.opener} aria-expanded={isOpen} onClick={props.onOpen}>
          {isOpen ? <ChevronDown aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
          <span>
            <strong>{label}</strong>
            <span className={kit.soft}>
              {words.from(titleOf(props.graph[input.node], input.node), input.input, input.also?.length ?? 0)}
            </span>
          </span>
        </button>
        {own.length > 0 ? <Chip tone="bad">{words.wrong}</Chip> : <Chip>{workForm.kinds[input.kind]}</Chip>}
        <div className={styles.moves}>
          <IconButton small label={words.up(label)} disabled={at === 0} onClick={() => props.onMove(at - 1)}>
            <ArrowUp aria-hidden="true" />
          </IconButton>
          <IconButton
            small
            label={words.down(label)}
            disabled={at === form.inputs.length - 1}
            onClick={() => props.onMove(at + 1)}
          >
            <ArrowDown aria-hidden="true" />
          </IconButton>
          <IconButton small label={words.remove(label)} onClick={() => onForm(removeInput(form, keyOf(input)))}>
            <X aria-hidden="true" />
          </IconButton>
        </div>
      </div>
      {general.map(({ message }) => (
        <p key={message} className={styles.refusal}>
          {message}
        </p>
      ))}
      {isOpen ? (
        <InputSettings
          input={input}
          faults={own.map(({ path, message }) => ({ path: path.slice(2), message }))}
          groups={[...new Set(form.inputs.flatMap(({ group }) => group ?? []))]}
          onChange={(change) => onForm(changeInput(form, at, change))}
        />
      ) : null}
    </li>
  );
}

const fields: ReadonlySet<string> = new Set([
  "name",
  "label",
  "description",
  "group",
  "default",
  "minimum",
  "maximum",
  "step",
  "choices",
]);
