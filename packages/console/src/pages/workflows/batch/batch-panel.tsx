// Several runs of the open graph: how many, with which seeds, over which values. The grid is shown before anything runs.
import { Plus, X } from "lucide-react";
import type { ReactNode } from "react";
import { workflows } from "#strings/workflows";
import type { KnownClasses } from "../../../api/classes.ts";
import type { Graph } from "../../../api/graphs.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { SelectField, TextArea, TextField } from "../../../ui/fields.tsx";
import { formatCreditRange } from "../../../ui/figures.tsx";
import kit from "../../../ui/kit.module.css";
import { Panel, Stack } from "../../../ui/panel.tsx";
import { Scrollable } from "../../../ui/scrollable.tsx";
import { FaultNote } from "../../../ui/states.tsx";
import type { Draft } from "../../../ui/workflow-form/draft.ts";
import styles from "./batch.module.css";
import {
  type BatchPlan,
  type BatchProblems,
  type BatchSettings,
  type SeedPolicy,
  type Sweep,
  type SweepChoice,
  seedInputs,
  seedPolicies,
  sweepChoices,
  sweepsMax,
} from "./batch-plan.ts";
import type { Batch } from "./use-batch.ts";

const words = workflows.batch;

interface PanelProps {
  readonly graph: Graph;
  readonly classes: KnownClasses;
  readonly draft: Draft;
  readonly settings: BatchSettings;
  readonly batch: Batch;
  readonly onSettings: (settings: BatchSettings) => void;
}

export function BatchPanel(props: PanelProps): ReactNode {
  const { settings, batch, onSettings } = props;
  const { planned } = batch;
  const problems: BatchProblems = planned !== null && "problems" in planned ? planned.problems : { sweeps: [] };
  const choices = sweepChoices(props);
  const hasSeeds = seedInputs(props, props.draft).length > 0;
  const setSweep = (at: number, sweep: Sweep) => onSettings({ ...settings, sweeps: settings.sweeps.with(at, sweep) });
  return (
    <Panel title={words.title}>
      <Stack>
        <div className={styles.row}>
          <TextField
            label={words.rounds}
            inputMode="numeric"
            value={settings.rounds}
            wrong={problems.rounds}
            onChange={({ target }) => onSettings({ ...settings, rounds: target.value })}
          />
          <SelectField
            label={words.seeds}
            hint={hasSeeds ? null : words.noSeeds}
            value={settings.seeds}
            choices={seedPolicies.map((value) => ({ value, label: words.policies[value] }))}
            onChange={({ target }) => onSettings({ ...settings, seeds: target.value as SeedPolicy })}
          />
        </div>
        {settings.sweeps.map((sweep, at) => (
          <SweepFields
            // biome-ignore lint/suspicious/noArrayIndexKey: an entry is its position
            key={at}
            {...{ at, sweep, choices }}
            wrong={problems.sweeps[at] ?? null}
            onSweep={(next) => setSweep(at, next)}
            onRemove={() => onSettings({ ...settings, sweeps: settings.sweeps.toSpliced(at, 1) })}
          />
        ))}
        {settings.sweeps.length < sweepsMax && choices.length > 0 ? (
          <div>
            <Button
              small
              onClick={() => onSettings({ ...settings, sweeps: [...settings.sweeps, { key: "", text: "" }] })}
            >
              <Plus aria-hidden="true" />
              {settings.sweeps.length === 0 ? words.addSweep : words.addSecond}
            </Button>
          </div>
        ) : null}
        {problems.all === undefined ? null : (
          <p className={kit.wrong} role="alert">
            {problems.all}
          </p>
        )}
        {planned !== null && "plan" in planned ? (
          <Outlook plan={planned.plan} price={batch.price} choices={choices} />
        ) : null}
        {batch.fault ? (
          <FaultNote
            fault={batch.fault}
            title={words.stopped(batch.done, planned !== null && "plan" in planned ? planned.plan.jobs : batch.done)}
            retry={batch.start}
          />
        ) : null}
      </Stack>
    </Panel>
  );
}

function SweepFields(props: {
  readonly at: number;
  readonly sweep: Sweep;
  readonly choices: readonly SweepChoice[];
  readonly wrong: string | null;
  readonly onSweep: (sweep: Sweep) => void;
  readonly onRemove: () => void;
}): ReactNode {
  const { at, sweep, choices, wrong } = props;
  const kind = choices.find(({ key }) => key === sweep.key)?.kind;
  const isNumber = kind === "integer" || kind === "number";
  return (
    <fieldset className={styles.sweep}>
      <legend className="visually-hidden">{words.sweep(at + 1)}</legend>
      <SelectField
        label={words.input}
        aside={
          <IconButton small label={words.removeSweep(at + 1)} onClick={props.onRemove}>
            <X aria-hidden="true" />
          </IconButton>
        }
        value={sweep.key}
        choices={[{ value: "", label: words.choose }, ...choices.map(({ key, label }) => ({ value: key, label }))]}
        onChange={({ target }) => props.onSweep({ key: target.value, text: "" })}
      />
      {kind === undefined ? null : (
        <TextArea
          label={words.values}
          hint={isNumber ? words.numbersHint : words.linesHint}
          rows={isNumber ? 2 : 4}
          value={sweep.text}
          wrong={sweep.text === "" ? null : wrong}
          onChange={({ target }) => props.onSweep({ ...sweep, text: target.value })}
        />
      )}
    </fieldset>
  );
}

// What would run: the grid of values, the number of jobs, and the price at most.
function Outlook(props: {
  readonly plan: BatchPlan;
  readonly price: Batch["price"];
  readonly choices: readonly SweepChoice[];
}): ReactNode {
  const { plan, price, choices } = props;
  const [first, second] = plan.axes;
  const labelOf = (key: string) => choices.find((each) => each.key === key)?.label ?? "";
  return (
    <>
      {first === undefined ? null : (
        <Scrollable as="figure" label={words.grid} className={styles.grid}>
          <table>
            <thead>
              <tr>
                <th scope="col">
                  {second === undefined ? labelOf(first.key) : words.cross(labelOf(first.key), labelOf(second.key))}
                </th>
                {(second?.texts ?? [words.jobsColumn]).map((text) => (
                  <th key={text} scope="col">
                    {shown(text)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {first.texts.map((text) => (
                <tr key={text}>
                  <th scope="row">{shown(text)}</th>
                  {(second?.texts ?? [""]).map((other) => (
                    <td key={other}>{plan.rounds}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scrollable>
      )}
      <p data-batch-jobs={plan.jobs}>
        <strong>{words.jobs(plan.jobs)}</strong>
        {price === null ? null : (
          <span className={kit.soft}> · {words.price(formatCreditRange(price.lowest, price.highest))}</span>
        )}
      </p>
    </>
  );
}

const shown = (text: string): string => {
  const plain = text.replace(/^"(.*)"$/, "$1");
  return plain.length > 40 ? `${plain.slice(0, 39)}…` : plain;
};
