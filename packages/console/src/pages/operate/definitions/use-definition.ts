// The texts under the editor: what the server has, the changes kept in this browser, and what the server finds in them.
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { type DefinitionCheck, definitionQuery } from "../../../api/admin.ts";
import { call } from "../../../api/client.ts";
import { openDrafts } from "../../../api/drafts.ts";
import { isRecord } from "../../../api/json-record.ts";
import { useWhyNot } from "../../../api/may.ts";
import { operations } from "../../../api/operations.ts";
import { useOwner } from "../../../api/owner.ts";
import { readQuery } from "../../../api/read-query.ts";
import { useSettled } from "../../../api/use-settled.ts";
import { skeleton } from "./snippets.ts";

// After the last change of the text.
const pauseMs = 500;

export interface Texts {
  readonly definition: string;
  readonly fixtures: string;
}

// `provider` is undefined for a new definition.
export function useDefinition(provider: string | undefined) {
  const stored = useQuery({ ...definitionQuery(provider ?? ""), enabled: provider !== undefined });
  const owner = useOwner();
  const drafts = useMemo(() => openDrafts(owner ?? null), [owner]);
  const name = `definition.${provider ?? ""}`;
  const [changed, setChanged] = useState<Texts | null>(null);
  useEffect(() => {
    const kept = drafts.read(name)?.value;
    if (isRecord(kept) && typeof kept["definition"] === "string" && typeof kept["fixtures"] === "string")
      setChanged({ definition: kept["definition"], fixtures: kept["fixtures"] });
  }, [drafts, name]);
  const original: Texts | null =
    provider === undefined
      ? { definition: skeleton, fixtures: "" }
      : stored.data === undefined
        ? null
        : { definition: stored.data.definition, fixtures: stored.data.fixtures ?? "" };
  const texts = changed ?? original;
  return {
    stored,
    texts,
    isChanged: changed !== null,
    change(next: Texts) {
      const isSame = next.definition === original?.definition && next.fixtures === original.fixtures;
      setChanged(isSame ? null : next);
      if (isSame) drafts.remove(name);
      else drafts.write(name, next);
    },
    discard() {
      setChanged(null);
      drafts.remove(name);
    },
  };
}

// The format, again after each pause in typing. While an answer is awaited, the last one stays.
export function useFormat(definition: string | undefined) {
  const rested = useSettled(definition, pauseMs);
  // The first is asked at once.
  const settled = rested ?? definition;
  // Auditors read a definition and have none checked.
  const mayNot = useWhyNot(operations.checkProviderDefinition);
  const found = useQuery({
    ...readQuery(["admin", "definition check", settled], operations.checkProviderDefinition, {
      json: { definition: settled ?? "" },
    }),
    enabled: settled !== undefined && mayNot === null,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
  });
  return {
    ...found,
    mayNot,
    isCurrent: settled === definition && !found.isPlaceholderData && found.data !== undefined,
  };
}

export interface Trial {
  readonly texts: Texts;
  readonly check: DefinitionCheck;
}

export function useTrial() {
  return useMutation({
    mutationFn: async ({ texts, model }: { readonly texts: Texts; readonly model: string | null }): Promise<Trial> => ({
      texts,
      check: await call(operations.checkProviderDefinition, { json: { ...texts, model } }),
    }),
  });
}
