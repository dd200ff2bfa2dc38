import type { AccountModel } from "@atelier/sdk";
import type { ReactNode } from "react";
import { models as words } from "#strings/models";
import { modelKinds } from "../../../api/models.ts";
import { Facet, Facets, FilterBar, FilterChoice } from "../../../ui/filter-bar/filter-bar.tsx";
import { kindLooks } from "./kind-looks.ts";
import { countsOf, type Filters } from "./model-matching.ts";

export function ModelFilters(props: {
  readonly models: readonly Pick<AccountModel, "provider" | "kind">[];
  readonly filters: Filters;
  readonly hasWorks: boolean;
  readonly set: (next: Partial<Record<keyof Filters, string | undefined>>) => void;
}): ReactNode {
  const { filters, set } = props;
  const providers = countsOf(props.models.map(({ provider }) => provider));
  const kinds = countsOf(props.models.map(({ kind }) => kind ?? "other"));
  const toggle = (kind: string) => set({ kind: filters.kind === kind ? undefined : kind });
  return (
    <FilterBar label={words.filters.search} hint={words.filters.hint} q={filters.q} onQ={(q) => set({ q })}>
      <Facets label={words.filters.kinds}>
        {modelKinds
          .filter((kind) => kinds.has(kind))
          .map((kind) => (
            <Facet key={kind} isOn={filters.kind === kind} count={kinds.get(kind) ?? 0} onToggle={() => toggle(kind)}>
              {kindLooks[kind].word}
            </Facet>
          ))}
        {props.hasWorks ? (
          <Facet isOn={filters.kind === "work"} onToggle={() => toggle("work")}>
            {words.list.works}
          </Facet>
        ) : null}
      </Facets>
      {providers.size > 1 ? (
        <FilterChoice
          label={words.filters.providers}
          all={words.list.allProviders}
          value={filters.provider}
          choices={[...providers].map(([provider, count]) => [provider, words.list.provider(provider, count)])}
          onChoose={(provider) => set({ provider })}
        />
      ) : null}
    </FilterBar>
  );
}
