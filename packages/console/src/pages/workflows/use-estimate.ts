// What a run would cost, recalculated when values change, but not at every keystroke.
import { type GraphEstimate, writeJson } from "@atelier/sdk";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Graph } from "../../api/graphs.ts";
import { estimateGraph } from "../../api/jobs.ts";

export interface Estimated {
  readonly estimate: GraphEstimate | undefined;
  readonly fault: unknown;
  readonly isBusy: boolean;
}

export function useEstimate(graph: Graph, isWanted: boolean): Estimated {
  const now = writeJson(graph);
  const text = useSettled(now, 400);
  const { data, error, isFetching } = useQuery({
    queryKey: ["estimate", text],
    queryFn: ({ signal }) => estimateGraph(graph, signal),
    enabled: isWanted && text === now,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  return { estimate: data, fault: error, isBusy: isFetching };
}

function useSettled(text: string, ms: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return settled;
}
