// What a run would cost, recalculated when values change, but not at every keystroke.
import { writeJson } from "@atelier/sdk";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { workflows as words } from "#strings/workflows";
import { asFault } from "../../api/fault.ts";
import type { Graph } from "../../api/graphs.ts";
import { estimateGraph } from "../../api/jobs.ts";
import { formatCreditRange } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Skeleton } from "../../ui/states.tsx";
import styles from "./workflows.module.css";

export function Estimate({ graph, isHeld }: { readonly graph: Graph; readonly isHeld: boolean }): ReactNode {
  const text = useSettled(writeJson(graph), 400);
  const { data, error, isFetching } = useQuery({
    queryKey: ["estimate", text],
    queryFn: ({ signal }) => estimateGraph(graph, signal),
    enabled: !isHeld && text === writeJson(graph),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  if (error)
    return (
      <p className={kit.soft} data-estimate="fault">
        {words.estimate.unknown(asFault(error).message)}
      </p>
    );
  if (data === undefined) return <Skeleton height="3.6rem" />;
  const { lowest, highest } = data.credits;
  const seconds = data.expected_seconds;
  return (
    <div className={styles.estimate} data-estimate aria-busy={isFetching}>
      <strong>{formatCreditRange(lowest, highest)}</strong>
      <span className={kit.soft}>
        {seconds ? `${words.estimate.seconds(seconds.median.toFixed(1), seconds.p90.toFixed(1))} ` : ""}
        {data.nodes.map(({ node_id, class_type, title, credits }) => (
          <span key={node_id} className={styles.estimateNode}>
            {words.estimate.part(
              title ?? class_type ?? words.estimate.runningTime,
              formatCreditRange(credits.lowest, credits.highest),
            )}
          </span>
        ))}
      </span>
    </div>
  );
}

function useSettled(text: string, ms: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return settled;
}
