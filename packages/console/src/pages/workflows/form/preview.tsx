// The form as callers see it, live: the component of the playground, with a schema as the server makes it. What is filled in here
// can be kept as an example.
import { Bookmark } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { workForm } from "#strings/works/form";
import type { FieldFault } from "../../../api/fault.ts";
import { isRecord } from "../../../api/json-record.ts";
import type { Input } from "../../../api/model-calls/model-run.ts";
import { Button } from "../../../ui/button.tsx";
import kit from "../../../ui/kit.module.css";
import { Panel } from "../../../ui/panel.tsx";
import { checkValue } from "../../../ui/schema-form/check-value.ts";
import { SchemaForm } from "../../../ui/schema-form/schema-form.tsx";
import { toast } from "../../../ui/toast.tsx";
import { schemaOf } from "../../../ui/work-form/form-schema.ts";
import styles from "./form.module.css";
import type { FormDraft } from "./form-keeping.ts";

const words = workForm.preview;
const examplesMax = 10;
const none: Input = {};

export function Preview(props: {
  readonly draft: FormDraft;
  readonly onDraft: (draft: FormDraft) => void;
  // Whether the form itself has no problems.
  readonly isSound: boolean;
}): ReactNode {
  const { draft, onDraft } = props;
  const schema = useMemo(() => schemaOf(draft.form), [draft.form]);
  const [value, setValue] = useState<Input>(none);
  const [wasTried, setTried] = useState(false);
  const names = draft.form.inputs.map(({ name }) => name).join("\n");
  // An input that was renamed or removed takes its value with it.
  useEffect(() => {
    const known = new Set(names.split("\n"));
    setValue((now) => {
      const kept = Object.entries(now).filter(([name]) => known.has(name));
      return kept.length === Object.keys(now).length ? now : Object.fromEntries(kept);
    });
  }, [names]);
  const faults = useMemo(() => checkValue(schema, value), [schema, value]);
  const shown: readonly FieldFault[] = wasTried ? faults : faults.filter(({ isMissing }) => isMissing !== true);
  const isFull = draft.examples.length >= examplesMax;
  const keep = () => {
    setTried(true);
    if (faults.length > 0) return;
    onDraft({ ...draft, examples: [...draft.examples, { title: "", inputs: value }] });
    toast(words.kept);
  };
  return (
    <Panel
      title={words.title}
      actions={
        value === none ? null : (
          <Button small look="quiet" onClick={() => setValue(none)}>
            {words.clear}
          </Button>
        )
      }
    >
      <div className={styles.preview} data-preview>
        {draft.form.inputs.length === 0 ? (
          <p className={kit.soft}>{words.empty}</p>
        ) : (
          <SchemaForm
            schema={schema}
            value={value}
            faults={shown}
            onChange={(next) => setValue(isRecord(next) ? next : none)}
          />
        )}
      </div>
      <div className={styles.keep}>
        <Button
          small
          why={isFull ? words.tooMany(examplesMax) : props.isSound && shown.length === 0 ? null : words.fix}
          onClick={keep}
        >
          <Bookmark aria-hidden="true" />
          {words.keep}
        </Button>
        <span className={kit.hint}>{words.keepHint}</span>
      </div>
    </Panel>
  );
}
