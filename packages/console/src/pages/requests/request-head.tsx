// What the caller saw, and next to it what we know by now.
import type { AccountRequest } from "@atelier/sdk";
import { Info } from "lucide-react";
import type { ReactNode } from "react";
import { requests as words } from "#strings/requests";
import { Chip, StateChip } from "../../ui/chip.tsx";
import kit from "../../ui/kit.module.css";
import { OutcomeChip, outcomeOf, subjectOf } from "../../ui/outcome.tsx";
import { describeOutcome } from "./describe-outcome.ts";
import styles from "./requests.module.css";

export function Head({ request }: { readonly request: AccountRequest }): ReactNode {
  const { name } = subjectOf(request.subject);
  const outcome = request.replayed ? "replayed" : request.outcome;
  const refused = request.rows.find(({ refused_by }) => refused_by !== null);
  const became = describeOutcome(request);
  const failed = request.error_answer;
  return (
    <div className={styles.head}>
      <div className={kit.actions}>
        <OutcomeChip outcome={outcome} status={request.status} />
        {request.status === null ? null : <Chip>{request.status}</Chip>}
        {request.queued ? <StateChip state={request.queued.status} /> : null}
      </div>
      <p className={styles.subjectName}>
        {failed && request.rows.length === 0 ? `${failed.method} ${failed.path}` : name}
      </p>
      {failed?.message && failed.fields.length === 0 ? (
        <blockquote className={styles.said}>{failed.message}</blockquote>
      ) : null}
      {failed && failed.fields.length > 0 ? <Fields of={failed.fields} /> : null}
      {outcome === null || outcome === "succeeded" || became ? null : (
        <p className={kit.soft}>{outcomeOf(outcome, request.status).advice}</p>
      )}
      {became ? (
        <div className={styles.became} role="note">
          <Info aria-hidden="true" />
          <div>
            <strong>{became.title}</strong>
            <p>{became.words}</p>
          </div>
        </div>
      ) : null}
      {refused ? (
        <p className={styles.refused}>
          {words.refusedBy(refused.refused_by ?? "", refused.provider_status, refused.provider_words)} {refused.advice}
        </p>
      ) : null}
      {typeof request.queued?.detail === "string" ? <p>{request.queued.detail}</p> : null}
    </div>
  );
}

type Field = NonNullable<AccountRequest["error_answer"]>["fields"][number];

function Fields({ of }: { readonly of: readonly Field[] }): ReactNode {
  return (
    <dl className={styles.fields} aria-label={words.rejectedFields}>
      {of.map(({ loc, msg }) => (
        <div key={`${loc.join(".")} ${msg}`}>
          <dt>
            <code>{loc.slice(loc[0] === "body" ? 1 : 0).join(".") || words.body}</code>
          </dt>
          <dd>{msg}</dd>
        </div>
      ))}
    </dl>
  );
}
