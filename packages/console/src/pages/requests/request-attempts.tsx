// The attempts at the provider, if the first did not succeed: when, how long each took, and what the provider said.
import type { AccountRequest } from "@atelier/sdk";
import type { ReactNode } from "react";
import { spanOf } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import styles from "./requests.module.css";

type Attempt = AccountRequest["attempts"][number];

export function Attempts(props: { readonly request: AccountRequest; readonly isBare?: boolean }): ReactNode {
  const { attempts } = props.request;
  if (attempts.length === 0) return null;
  const list = (
    <ol className={styles.attempts} aria-label="Attempts at the provider">
      {attempts.map((attempt) => (
        <li key={`${attempt.at} ${attempt.step}`}>
          <b data-tone={toneOf(attempt)}>{attempt.status ?? "No answer"}</b>
          <span>
            {attempt.words === null
              ? stepWords[attempt.step]
              : attempt.status === null
                ? noAnswerWords(attempt.words)
                : `“${attempt.words}”`}
          </span>
          <small className={kit.soft}>
            <time dateTime={attempt.at}>{new Date(attempt.at).toLocaleTimeString()}</time> · {spanOf(attempt.ms)}
            {attempt.words === null ? "" : ` · ${stepWords[attempt.step].toLowerCase()}`}
          </small>
        </li>
      ))}
    </ol>
  );
  return props.isBare ? list : <Panel title="At the provider">{list}</Panel>;
}

const stepWords: Readonly<Record<Attempt["step"], string>> = { submit: "Submitted", poll: "Looked up" };

const toneOf = ({ status }: Attempt): string => (status !== null && status < 400 ? "ok" : "bad");

// Why no answer came, in the connection's words.
const reasons: Readonly<Record<string, string>> = {
  reset: "The connection broke before the answer.",
  closed: "The connection was closed before the answer.",
  incomplete: "The answer ended too early.",
  malformed: "The answer was no valid HTTP.",
  drip: "The answer came too slowly.",
  refused: "The provider did not accept the connection.",
  unreachable: "The provider could not be reached.",
  dns: "The provider's name could not be resolved.",
  tls: "The provider's certificate was not accepted.",
  connect_timeout: "The provider did not accept the connection in time.",
};
const noAnswerWords = (reason: string): string => reasons[reason] ?? `No answer: ${reason}.`;
