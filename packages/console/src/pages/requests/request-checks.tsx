// What the operator's safety hook said of the call, if it was asked.
import type { AccountRequest } from "@atelier/sdk";
import type { ReactNode } from "react";
import { requests } from "#strings/requests";
import { formatDuration } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import styles from "./requests.module.css";

const words = requests.checks;

export function Checks(props: { readonly request: AccountRequest; readonly isBare?: boolean }): ReactNode {
  const { checks } = props.request;
  if (checks.length === 0) return null;
  const list = (
    <ol className={styles.attempts} aria-label={words.title}>
      {checks.map(({ at, ms, stage, verdict, reason }) => (
        <li key={`${at} ${stage}`}>
          <b data-tone={verdict === "allowed" || verdict === "replaced" ? "ok" : "bad"}>{words.stages[stage]}</b>
          <span>{reason === null ? words.verdicts[verdict] : words.withReason(words.verdicts[verdict], reason)}</span>
          <small className={kit.soft}>
            <time dateTime={at}>{new Date(at).toLocaleTimeString()}</time> · {formatDuration(ms)}
          </small>
        </li>
      ))}
    </ol>
  );
  return props.isBare ? list : <Panel title={words.title}>{list}</Panel>;
}
