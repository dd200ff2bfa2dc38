// Cases the badge must keep: a state of the node, and the label it should show. All of them run at every keystroke.

import type { Badge } from "@atelier/sdk";
import { Check, CircleAlert, Plus, Timer, Trash2, X } from "lucide-react";
import type { ReactNode } from "react";
import { badges } from "#strings/badges";
import { Button, IconButton } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { classNames } from "../../ui/class-names.ts";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Scrollable } from "../../ui/scrollable.tsx";
import { labelOf, wrongOf } from "./badge-look.tsx";
import styles from "./badges.module.css";
import type { NodeState, TestCase } from "./draft.ts";
import type { Outcome } from "./evaluator.ts";
import { booleanChoices } from "./state-fields.tsx";

const words = badges.cases;

export function TestCases(props: {
  readonly badge: Badge;
  readonly cases: readonly TestCase[];
  readonly outcomes: readonly (Outcome | null)[];
  readonly onChange: (cases: readonly TestCase[]) => void;
  readonly onAdd: () => void;
}): ReactNode {
  const { badge, cases, outcomes, onChange } = props;
  const passing = cases.filter(({ expected }, at) => labelOf(outcomes[at] ?? null) === expected).length;
  const columns = columnsOf(badge);
  return (
    <Panel
      flush
      title={words.title}
      actions={
        <>
          <span role="status">
            {cases.length === 0 ? null : (
              <Chip tone={passing === cases.length ? "ok" : "bad"} icon={passing === cases.length ? Check : X}>
                {words.passing(passing, cases.length)}
              </Chip>
            )}
          </span>
          <Button small onClick={props.onAdd}>
            <Plus aria-hidden="true" /> {words.add}
          </Button>
        </>
      }
    >
      {cases.length === 0 ? (
        <p className={classNames(kit.soft, styles.noCases)}>{words.none}</p>
      ) : (
        <Scrollable className={kit.tableWrap} label={words.table}>
          <table className={classNames(kit.table, styles.cases)}>
            <thead>
              <tr>
                {columns.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
                <th scope="col">{words.expected}</th>
                <th scope="col">{words.actual}</th>
                <th scope="col">
                  <span className="visually-hidden">{words.remove}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {cases.map((each, at) => (
                <CaseRow
                  key={each.id}
                  number={at + 1}
                  columns={columns}
                  one={each}
                  outcome={outcomes[at] ?? null}
                  onChange={(next) => onChange(cases.with(at, next))}
                  onRemove={() => onChange(cases.filter((_, other) => other !== at))}
                />
              ))}
            </tbody>
          </table>
        </Scrollable>
      )}
    </Panel>
  );
}

function CaseRow(props: {
  readonly number: number;
  readonly columns: readonly Column[];
  readonly one: TestCase;
  readonly outcome: Outcome | null;
  readonly onChange: (next: TestCase) => void;
  readonly onRemove: () => void;
}): ReactNode {
  const { number, one, onChange } = props;
  return (
    <tr>
      {props.columns.map((column) => (
        <td key={column.name}>
          <Cell
            label={words.field(column.name, number)}
            column={column}
            state={one.state}
            onChange={(state) => onChange({ ...one, state })}
          />
        </td>
      ))}
      <td>
        <input
          className={kit.input}
          aria-label={words.expectedOf(number)}
          value={one.expected}
          onChange={(event) => onChange({ ...one, expected: event.target.value })}
        />
      </td>
      <td>
        <Verdict outcome={props.outcome} expected={one.expected} />
      </td>
      <td data-align="end">
        <IconButton small label={words.removeOf(number)} onClick={props.onRemove}>
          <Trash2 aria-hidden="true" />
        </IconButton>
      </td>
    </tr>
  );
}

interface Column {
  readonly name: string;
  readonly kind: "widgets" | "inputs" | "groups";
  readonly type: string;
}

const columnsOf = ({ depends_on: { widgets, inputs, input_groups } }: Badge): readonly Column[] => [
  ...widgets.map(({ name, type }): Column => ({ name, type, kind: "widgets" })),
  ...inputs.map((name): Column => ({ name, type: "", kind: "inputs" })),
  ...input_groups.map((name): Column => ({ name, type: "", kind: "groups" })),
];

function Cell(props: {
  readonly label: string;
  readonly column: Column;
  readonly state: NodeState;
  readonly onChange: (state: NodeState) => void;
}): ReactNode {
  const { label, column, state, onChange } = props;
  const { name, kind, type } = column;
  if (kind === "inputs")
    return (
      <input
        type="checkbox"
        className={styles.box}
        aria-label={label}
        checked={state.inputs[name] ?? false}
        onChange={(event) => onChange({ ...state, inputs: { ...state.inputs, [name]: event.target.checked } })}
      />
    );
  if (kind === "groups")
    return (
      <input
        type="number"
        min={0}
        className={kit.input}
        aria-label={label}
        value={state.groups[name] ?? 0}
        onChange={(event) =>
          onChange({
            ...state,
            groups: { ...state.groups, [name]: Math.max(0, Math.trunc(Number(event.target.value) || 0)) },
          })
        }
      />
    );
  const set = (value: string) =>
    onChange({ ...state, widgets: { ...state.widgets, [name]: value === "" ? null : value } });
  const value = String(state.widgets[name] ?? "");
  return type === "BOOLEAN" ? (
    <select className={kit.input} aria-label={label} value={value} onChange={(event) => set(event.target.value)}>
      {booleanChoices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  ) : (
    <input
      className={kit.input}
      aria-label={label}
      placeholder={badges.noValue}
      value={value}
      onChange={(event) => set(event.target.value)}
    />
  );
}

function Verdict({ outcome, expected }: { readonly outcome: Outcome | null; readonly expected: string }): ReactNode {
  if (outcome === null) return <span className={kit.soft}>…</span>;
  const label = labelOf(outcome);
  if (outcome.kind === "late")
    return (
      <Chip tone="warn" icon={Timer}>
        {badges.look.late}
      </Chip>
    );
  if (label === null)
    return (
      <Chip tone="bad" icon={CircleAlert} title={wrongOf(outcome) ?? ""}>
        {badges.noBadge}
      </Chip>
    );
  return (
    <span className={styles.verdictCell}>
      <Chip tone={label === expected ? "ok" : "bad"} icon={label === expected ? Check : X}>
        {label === expected ? words.passes : words.fails}
      </Chip>
      <span>{label}</span>
    </span>
  );
}
