import type { Template } from "@atelier/sdk";
import type { ReactNode } from "react";
import { templatePage as words } from "#strings/templates/page";
import { Facet, Facets, FilterBar, FilterChoice } from "../../ui/filter-bar/filter-bar.tsx";
import { stateOf, type TemplateFilters } from "./template-state.ts";

const states = ["runs", "key", "more"] as const;

export function TemplateFilterBar(props: {
  readonly templates: readonly Template[];
  readonly filters: TemplateFilters;
  readonly set: (next: TemplateFilters) => void;
}): ReactNode {
  const { templates, filters, set } = props;
  const byState = Map.groupBy(templates, stateOf);
  const byCategory = [...Map.groupBy(templates, ({ category }) => category ?? "")].filter(([name]) => name !== "");
  return (
    <FilterBar label={words.filters.search} hint={words.filters.hint} q={filters.q} onQ={(q) => set({ q })}>
      <Facets label={words.filters.states}>
        {states
          .filter((state) => byState.has(state))
          .map((state) => (
            <Facet
              key={state}
              isOn={filters.state === state}
              count={byState.get(state)?.length ?? 0}
              onToggle={() => set({ state: filters.state === state ? undefined : state })}
            >
              {words.states[state]}
            </Facet>
          ))}
      </Facets>
      {byCategory.length > 0 ? (
        <FilterChoice
          label={words.filters.categories}
          all={words.filters.allCategories}
          value={filters.category}
          choices={byCategory.map(([name, of]) => [name, words.filters.category(name, of.length)])}
          onChoose={(category) => set({ category })}
        />
      ) : null}
    </FilterBar>
  );
}
