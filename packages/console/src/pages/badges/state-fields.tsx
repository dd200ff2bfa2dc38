// The state of a node as the badge's dependencies need it: a control for each, by type.

import type { Badge } from "@atelier/sdk";
import { Minus, Plus } from "lucide-react";
import { type ReactNode, useId } from "react";
import { badges } from "#strings/badges";
import { IconButton } from "../../ui/button.tsx";
import { CheckField, Field, SelectField, TextField } from "../../ui/fields.tsx";
import kit from "../../ui/kit.module.css";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./badges.module.css";
import type { NodeState } from "./draft.ts";

const words = badges.previewer;

export interface StateProps {
  readonly dependsOn: Badge["depends_on"];
  readonly state: NodeState;
  // What lists offer, by widget. Anything else can be typed: a badge may be for a class that is not here.
  readonly choices: ReadonlyMap<string, readonly string[]>;
  readonly onChange: (state: NodeState) => void;
}

export const booleanChoices = [
  { value: "", label: badges.noValue },
  { value: "true", label: words.isTrue },
  { value: "false", label: words.isFalse },
];

const isNumber = (type: string): boolean => type === "INT" || type === "FLOAT";

export function StateFields({ dependsOn, state, choices, onChange }: StateProps): ReactNode {
  const id = useId();
  const { widgets, inputs, input_groups: groups } = dependsOn;
  const setWidget = (name: string, value: string | null) =>
    onChange({ ...state, widgets: { ...state.widgets, [name]: value } });
  if (widgets.length + inputs.length + groups.length === 0) return <p className={kit.soft}>{words.constant}</p>;
  return (
    <div className={kit.stack}>
      {widgets.map(({ name, type }) => {
        const value = String(state.widgets[name] ?? "");
        const about = { label: name, aside: <code className={styles.type}>{type}</code> };
        return type === "BOOLEAN" ? (
          <SelectField
            key={name}
            {...about}
            choices={booleanChoices}
            value={value}
            onChange={(event) => setWidget(name, event.target.value || null)}
          />
        ) : (
          <div key={name}>
            <TextField
              {...about}
              inputMode={isNumber(type) ? "decimal" : "text"}
              placeholder={badges.noValue}
              spellCheck={false}
              list={choices.has(name) ? `${id}-${name}` : undefined}
              value={value}
              onChange={(event) => setWidget(name, event.target.value === "" ? null : event.target.value)}
            />
            {choices.has(name) ? (
              <datalist id={`${id}-${name}`}>
                {choices.get(name)?.map((choice) => (
                  <option key={choice} value={choice} />
                ))}
              </datalist>
            ) : null}
          </div>
        );
      })}
      {inputs.map((name) => (
        <CheckField
          key={name}
          label={<Rich text={words.isConnected} input={<code>{name}</code>} />}
          checked={state.inputs[name] ?? false}
          onChange={(event) => onChange({ ...state, inputs: { ...state.inputs, [name]: event.target.checked } })}
        />
      ))}
      {groups.map((name) => (
        <Counter
          key={name}
          name={name}
          count={state.groups[name] ?? 0}
          onChange={(count) => onChange({ ...state, groups: { ...state.groups, [name]: count } })}
        />
      ))}
    </div>
  );
}

function Counter(props: {
  readonly name: string;
  readonly count: number;
  readonly onChange: (count: number) => void;
}): ReactNode {
  const { name, count, onChange } = props;
  return (
    <Field label={name} aside={<span className={styles.type}>{words.connected}</span>}>
      {(ties) => (
        <div className={styles.counter}>
          <IconButton label={words.fewer(name)} disabled={count === 0} onClick={() => onChange(count - 1)}>
            <Minus aria-hidden="true" />
          </IconButton>
          <input
            {...ties}
            type="number"
            min={0}
            className={kit.input}
            value={count}
            onChange={(event) => onChange(Math.max(0, Math.trunc(Number(event.target.value) || 0)))}
          />
          <IconButton label={words.more(name)} onClick={() => onChange(count + 1)}>
            <Plus aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </Field>
  );
}
