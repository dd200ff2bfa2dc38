// What one can change, what it costs, and the button.
import { Play } from "lucide-react";
import { type ReactNode, useMemo, useRef } from "react";
import { runWork as words } from "#strings/works/run";
import { isRecord } from "../../api/json-record.ts";
import { useEstimate } from "../../api/model-calls/model-estimate.ts";
import type { Input } from "../../api/model-calls/model-run.ts";
import type { ModelDocument } from "../../api/models.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { formatCreditRange } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import type { Schema } from "../../ui/schema-form/json-schema.ts";
import { SchemaForm } from "../../ui/schema-form/schema-form.tsx";
import { useChecked } from "../../ui/schema-form/use-checked.ts";
import styles from "./run-work.module.css";
import type { WorkRun } from "./use-work-run.ts";

export function FormCard(props: {
  readonly model: string;
  readonly document: ModelDocument;
  readonly input: Input;
  readonly onInput: (input: Input) => void;
  readonly run: WorkRun;
}): ReactNode {
  const { input, run } = props;
  const schema = useMemo(() => authored(props.document.input), [props.document]);
  const checked = useChecked(schema, input, run.state);
  const card = useRef<HTMLFormElement>(null);
  const isRunning = run.state.phase === "running";
  const start = () => {
    checked.attempt();
    if (isRunning) return;
    if (!checked.isSound) {
      requestAnimationFrame(() => card.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    run.start(input);
  };
  return (
    <form
      ref={card}
      className={styles.card}
      aria-label={words.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <div className={styles.fields}>
        {Object.keys(propertiesOf(schema)).length === 0 ? (
          <p className={kit.soft}>{words.noInputs}</p>
        ) : (
          <SchemaForm
            schema={schema}
            value={input}
            faults={checked.shown}
            onChange={(next) => props.onInput(isRecord(next) ? next : {})}
          />
        )}
      </div>
      <div className={styles.runBar}>
        <Price model={props.model} input={input} isAsked={checked.isSound} />
        <Button does={operations.invokeModel} type="submit" look="primary" className={styles.run} disabled={isRunning}>
          <Play aria-hidden="true" />
          {isRunning ? words.running : run.made.length === 0 ? words.run : words.again}
        </Button>
      </div>
    </form>
  );
}

function Price(props: { readonly model: string; readonly input: Input; readonly isAsked: boolean }): ReactNode {
  const { data, error } = useEstimate(props.model, props.input, props.isAsked);
  const seconds = data?.expected_seconds?.median;
  return (
    <p className={styles.price} role="status" aria-label={words.estimate}>
      {!props.isAsked ? (
        words.incomplete
      ) : error ? (
        words.unpriced
      ) : data === undefined ? (
        words.asking
      ) : (
        <>
          <strong>{formatCreditRange(data.credits.lowest, data.credits.highest)}</strong>
          {seconds === undefined ? null : ` · ${words.aboutSeconds(roundOf(seconds))}`}
        </>
      )}
    </p>
  );
}

const roundOf = (seconds: number): string => String(seconds < 10 ? Number(seconds.toFixed(1)) : Math.round(seconds));

const propertiesOf = (schema: Schema): Schema => (isRecord(schema["properties"]) ? schema["properties"] : {});

// What the author chose. How outputs are returned concerns programs, not people.
function authored(schema: Schema): Schema {
  const own = Object.entries(propertiesOf(schema)).filter(([, each]) => isRecord(each) && "x-atelier-kind" in each);
  return { ...schema, properties: Object.fromEntries(own) };
}
