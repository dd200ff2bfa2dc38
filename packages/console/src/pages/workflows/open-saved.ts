// The document of a saved version, opened. A version never changes.
import { queryOptions } from "@tanstack/react-query";
import { readDocument, savedKey } from "../../api/saved/saved-workflows.ts";
import { openText } from "./open-workflow.ts";

export function openedQuery({ id, name }: { readonly id: string; readonly name: string }, version: number) {
  return queryOptions({
    queryKey: [...savedKey, id, "opened", version],
    queryFn: async ({ signal }) => openText(name, await (await readDocument(id, version, {}, signal)).text()),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
