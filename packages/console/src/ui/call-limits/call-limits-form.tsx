// How many calls may begin in a minute, and how many may be open at once. Nothing in a field: any number.
import type { ReactNode } from "react";
import { callLimits as words } from "#strings/ui/call-limits";
import { useWhyNot } from "../../api/may.ts";
import { ChangeForm } from "../calls/change-form.tsx";
import { useDraft } from "../calls/use-draft.ts";
import { TextField } from "../fields.tsx";
import styles from "./call-limits.module.css";

export interface Limits {
  readonly calls_per_minute: number | null;
  readonly concurrency: number | null;
}

const count = /^[1-9]\d{0,5}$/;
const wrongIn = (text: string) => (text === "" || count.test(text) ? null : words.wrong);
const numberIn = (text: string) => (text === "" ? null : Number(text));

export function CallLimitsForm<Saved>(props: {
  readonly text: string;
  readonly limits: Limits;
  // Known for keys alone.
  readonly inFlight?: number;
  // The operation that saves.
  readonly does: string;
  readonly save: (limits: Limits) => Promise<Saved>;
  readonly onSaved: (saved: Saved) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { draft, word } = useDraft({
    perMinute: String(props.limits.calls_per_minute ?? ""),
    atOnce: String(props.limits.concurrency ?? ""),
  });
  const mayNot = useWhyNot(props.does);
  const wrong = { perMinute: wrongIn(draft.perMinute), atOnce: wrongIn(draft.atOnce) };
  return (
    <ChangeForm
      action={words.action}
      why={mayNot ?? wrong.perMinute ?? wrong.atOnce}
      change={() => props.save({ calls_per_minute: numberIn(draft.perMinute), concurrency: numberIn(draft.atOnce) })}
      said={() => words.saved}
      after={props.onSaved}
      onClose={props.onClose}
    >
      <p>{props.text}</p>
      <div className={styles.pair}>
        <TextField
          label={words.perMinute}
          placeholder={words.any}
          inputMode="numeric"
          {...word("perMinute")}
          wrong={wrong.perMinute}
        />
        <TextField
          label={words.atOnce}
          hint={props.inFlight === undefined ? undefined : words.inFlight(props.inFlight)}
          placeholder={words.any}
          inputMode="numeric"
          {...word("atOnce")}
          wrong={wrong.atOnce}
        />
      </div>
    </ChangeForm>
  );
}
