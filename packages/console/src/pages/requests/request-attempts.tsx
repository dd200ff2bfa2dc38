// The attempts at the provider, if the first did not succeed: when, how long each took, and what the provider said.
import type { AccountRequest } from "@atelier/sdk";
import type { ReactNode } from "react";
import { requests } from "#strings/requests";
import { formatDuration } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import styles from "./requests.module.css";

const words = requests.attempts;

type Attempt = AccountRequest["attempts"][number];

export function Attempts(props: { readonly request: AccountRequest; readonly isBare?: boolean }): ReactNode {
  const { attempts } = props.request;
  if (attempts.length === 0) return null;
  const list = (
    <ol className={styles.attempts} aria-label={words.title}>
      {attempts.map((attempt) => (
        <li key={`${attempt.at} ${attempt.step} ${attempt.target ?? ""}`}>
          <b data-tone={toneOf(attempt)}>{attempt.status ?? words.none}</b>
          <span>
            {attempt.words === null
              ? words.steps[attempt.step]
              : attempt.status === null
                ? noAnswerWords(attempt.words)
                : `“${attempt.words}”`}
          </span>
          <small className={kit.soft}>
            <time dateTime={attempt.at}>{new Date(attempt.at).toLocaleTimeString()}</time> ·{" "}
            {formatDuration(attempt.ms)}
            {attempt.words === null ? "" : ` · ${words.steps[attempt.step].toLowerCase()}`}
            {attempt.target === undefined ? "" : ` · ${attempt.target}`}
          </small>
        </li>
      ))}
    </ol>
  );
  return props.isBare ? list : <Panel title={words.title}>{list}</Panel>;
}

const toneOf = ({ status }: Attempt): string => (status !== null && status < 400 ? "ok" : "bad");

// Why no response came, from the connection's code.
const reasons: Readonly<Record<string, string>> = words.reasons;
const noAnswerWords = (reason: string): string => reasons[reason] ?? words.otherReason(reason);
