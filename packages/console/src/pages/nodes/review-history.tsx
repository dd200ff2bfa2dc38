// How a version came to its state, oldest first. Its publisher and the reviewers read the same lines.
import type { ReactNode } from "react";
import { nodes } from "#strings/nodes";
import { Ago } from "../../ui/figures.tsx";
import { keyed } from "../../ui/keyed.ts";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./nodes.module.css";
import type { NodeVersionReview } from "./registry-queries.ts";
import { wordOf } from "./version-state.tsx";

const words = nodes.versions;

export function ReviewHistory({ of: review }: { readonly of: NodeVersionReview }): ReactNode {
  return (
    <ol className={styles.history} aria-label={words.history(review.node_version.version)}>
      {keyed(review.history, ({ at, status_after }) => `${at} ${status_after}`).map(([key, move]) => (
        <li key={key}>
          <Move of={move} />
        </li>
      ))}
    </ol>
  );
}

// A line without a change of state is an appeal, or the operator's answer that nothing changes.
function Move({ of: move }: { readonly of: NodeVersionReview["history"][number] }): ReactNode {
  const who = words.by[move.by] ?? move.by;
  const [when, before, after] = [<Ago key="at" at={move.at} />, wordOf(move.status_before), wordOf(move.status_after)];
  const isSame = move.status_before === move.status_after;
  return (
    <>
      {isSame && move.by === "publisher" ? <Rich text={words.appealed} when={when} who={who} /> : null}
      {isSame && move.by !== "publisher" ? <Rich text={words.confirmed} when={when} after={after} who={who} /> : null}
      {isSame ? null : <Rich text={words.change} when={when} before={before} after={after} who={who} />}
      {move.reason ? `: ${move.reason}` : ""}
    </>
  );
}
