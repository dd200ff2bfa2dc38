// How many calls may begin in a minute, and how many may be open at once. Nothing in a field: any number.
import { type ReactNode, useState } from "react";
import { callLimits as words } from "#strings/ui/call-limits";
import { useWhyNot } from "../../api/may.ts";
import { ChangeForm } from "../calls/change-form.tsx";
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
  const [perMinute, setPerMinute] = useState(String(props.limits.calls_per_minute ?? ""));
  const [atOnce, setAtOnce] = useState(String(props.limits.concurrency ?? ""));
  const mayNot = useWhyNot(props.does);
  const isWrong = wrongIn(perMinute) !== null || wrongIn(atOnce) !== null;
  return (
    <ChangeForm
      action={words.action}
      why={mayNot ?? (isWrong ? words.wrong : null)}
      change={() => props.save({ calls_per_minute: numberIn(perMinute), concurrency: numberIn(atOnce) })}
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
          autoComplete="off"
          value={perMinute}
          wrong={wrongIn(perMinute)}
          onChange={(event) => setPerMinute(event.target.value.trim())}
        />
        <TextField
          label={words.atOnce}
          hint={props.inFlight === undefined ? undefined : words.inFlight(props.inFlight)}
          placeholder={words.any}
          inputMode="numeric"
          autoComplete="off"
          value={atOnce}
          wrong={wrongIn(atOnce)}
          onChange={(event) => setAtOnce(event.target.value.trim())}
        />
      </div>
    </ChangeForm>
  );
}
