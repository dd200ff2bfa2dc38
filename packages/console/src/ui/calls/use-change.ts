// Something that a person changes: one call, the queries that must be read again when it succeeded, and what is said about it.
import { type QueryKey, type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { toast, toastFault } from "../toast.tsx";

export interface Change<Made, Given = void> {
  readonly change: (given: Given) => Promise<Made>;
  readonly stale?: readonly QueryKey[];
  // Read again even if it was refused, because what the page shows may be why.
  readonly staleAnyway?: readonly QueryKey[];
  // What is said when it is done.
  readonly said?: (made: Made, given: Given) => string;
  // What is said with the refusal. A form has none: it shows the refusal itself.
  readonly failed?: string;
  readonly after?: (made: Made, given: Given) => unknown;
}

export function useChange<Made, Given = void>(how: Change<Made, Given>): UseMutationResult<Made, Error, Given> {
  const queries = useQueryClient();
  const { change, stale = [], staleAnyway = [], said, failed, after } = how;
  return useMutation({
    mutationFn: change,
    // Otherwise the answer, which may have a secret, stays in memory for minutes.
    gcTime: 0,
    onSuccess: (made, given) => {
      for (const queryKey of stale) void queries.invalidateQueries({ queryKey });
      if (said) toast(said(made, given));
      return after?.(made, given);
    },
    onError: (thrown) => {
      if (failed) toastFault(thrown, failed);
    },
    onSettled: () => Promise.all(staleAnyway.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
