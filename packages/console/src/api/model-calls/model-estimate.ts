// What a call would cost, asked again when typing pauses.
import { writeJson } from "@atelier/sdk";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { atelier } from "../atelier.ts";
import { useSettled } from "../use-settled.ts";
import type { Input } from "./model-run.ts";

export function useEstimate(model: string, input: Input, isAsked: boolean) {
  const settled = useSettled(input, 350);
  return useQuery({
    queryKey: ["estimate", model, writeJson(settled)],
    enabled: isAsked,
    retry: 0,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    queryFn: ({ signal }) => atelier.models.estimate(model, settled, { signal }),
  });
}
