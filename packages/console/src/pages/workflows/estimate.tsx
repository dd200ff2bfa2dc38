// The estimate of a whole run. What each node costs is on the node.
import type { ReactNode } from "react";
import { workflows as words } from "#strings/workflows";
import { asFault } from "../../api/fault.ts";
import { formatCreditRange } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Skeleton } from "../../ui/states.tsx";
import type { Estimated } from "./use-estimate.ts";
import styles from "./workflows.module.css";

// `total`: of a whole batch.
export function Estimate(props: {
  readonly of: Estimated;
  readonly total: { readonly lowest: string; readonly highest: string } | null;
}): ReactNode {
  const { of, total } = props;
  if (of.fault)
    return (
      <span className={kit.soft} data-estimate="fault">
        {words.estimate.unknown(asFault(of.fault).message)}
      </span>
    );
  if (of.estimate === undefined)
    return (
      <span className={styles.estimate}>
        <Skeleton height="1.4rem" />
      </span>
    );
  const { credits, expected_seconds: seconds, nodes } = of.estimate;
  const running = nodes.find(({ node_id, class_type }) => node_id === "run" && class_type === undefined);
  return (
    <span className={styles.estimate} data-estimate aria-busy={of.isBusy}>
      <strong>{formatCreditRange((total ?? credits).lowest, (total ?? credits).highest)}</strong>
      <span className={kit.soft}>
        {[
          seconds ? words.estimate.seconds(seconds.median.toFixed(1), seconds.p90.toFixed(1)) : null,
          running
            ? words.estimate.part(
                words.estimate.runningTime,
                formatCreditRange(running.credits.lowest, running.credits.highest),
              )
            : null,
        ]
          .filter((part) => part !== null)
          .join(" ")}
      </span>
    </span>
  );
}
