import type { Template } from "@atelier/sdk";
import type { ReactNode } from "react";
import { templatePage as words } from "#strings/templates/page";
import kit from "../../ui/kit.module.css";
import { stateOf, type TemplateFilters } from "./template-state.ts";
import styles from "./templates.module.css";

const states = ["runs", "key", "more"] as const;

export function TemplateFilterBar(props: {
  readonly templates: readonly Template[];
  readonly filters: TemplateFilters;
  readonly set: (next: TemplateFilters) => void;
}): ReactNode {
  const { templates, filters, set } = props;
  const byState = Map.groupBy(templates, stateOf);
  const byCategory = Map.groupBy(templates, ({ category }) => category);
  return (
    <search className={styles.filters}>
      <input
        type="search"
        className={kit.input}
        aria-label={words.filters.search}
        placeholder={words.filters.hint}
        maxLength={200}
        defaultValue={filters.q ?? ""}
        onChange={({ target }) => set({ q: target.value || undefined })}
      />
      <fieldset className={styles.states} aria-label={words.filters.states}>
        {states
          .filter((state) => byState.has(state))
          .map((state) => (
            <button
              key={state}
              type="button"
              aria-pressed={filters.state === state}
              onClick={() => set({ state: filters.state === state ? undefined : state })}
            >
              {words.states[state]}
              <span>{byState.get(state)?.length}</span>
            </button>
          ))}
      </fieldset>
      {byCategory.size > 1 ? (
        <select
          className={kit.input}
          aria-label={words.filters.categories}
          value={filters.category ?? ""}
          onChange={({ target }) => set({ category: target.value || undefined })}
        >
          <option value="">{words.filters.allCategories}</option>
          {[...byCategory].map(([name, of]) =>
            name === null ? null : (
              <option key={name} value={name}>
                {words.filters.category(name, of.length)}
              </option>
            ),
          )}
        </select>
      ) : null}
    </search>
  );
}
