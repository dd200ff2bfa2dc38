// One of several calls: its clock, its answer, or why it has none. Each can be left and collected on its own.
import { CircleStop, Repeat } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { models } from "#strings/models";
import type { Lane } from "../../api/model-calls/lanes.ts";
import { Button } from "../../ui/button.tsx";
import { useNow } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Skeleton } from "../../ui/states.tsx";
import { bucketWords } from "./bucket-words.ts";
import styles from "./model.module.css";
import type { OutputUse } from "./output-tools.tsx";

const words = models.result;

const Answer = lazy(() => import("./answer.tsx").then(({ Answer: component }) => ({ default: component })));

export function LaneStage(props: {
  readonly lane: Lane;
  readonly use: OutputUse;
  readonly onStop: () => void;
  readonly onCollect: () => void;
  readonly onKept?: (assetIds: readonly string[]) => void;
}): ReactNode {
  const { lane } = props;
  if (lane.phase === "running")
    return (
      <>
        <LaneTimer startedAt={lane.startedAt} />
        <Button small onClick={props.onStop}>
          <CircleStop aria-hidden="true" />
          {words.stopWaiting}
        </Button>
      </>
    );
  if (lane.phase === "done")
    return (
      <Suspense fallback={<Skeleton height="12rem" />}>
        <Answer
          model={lane.call.model}
          result={lane.result}
          use={props.use}
          isSmall
          {...(props.onKept ? { onKept: props.onKept } : {})}
        />
      </Suspense>
    );
  return (
    <div
      className={lane.phase === "failed" ? kit.fault : styles.waiting}
      role={lane.phase === "failed" ? "alert" : undefined}
    >
      <h3>{lane.phase === "failed" ? bucketWords(lane.fault.code, lane.fault.status).title : words.left}</h3>
      <p>{lane.phase === "failed" ? lane.fault.message : words.leftText}</p>
      {lane.phase === "failed" && (lane.fault.status === 422 || lane.fault.status === 400) ? null : (
        <div>
          <Button small onClick={props.onCollect}>
            <Repeat aria-hidden="true" />
            {lane.phase === "failed" ? words.again : words.collect}
          </Button>
        </div>
      )}
    </div>
  );
}

function LaneTimer({ startedAt }: { readonly startedAt: number }): ReactNode {
  const now = useNow(100);
  return <span className={styles.timer}>{words.seconds((Math.max(0, now - startedAt) / 1_000).toFixed(1))}</span>;
}
