import type { AccountModel } from "@atelier/sdk";
import type { ReactNode } from "react";
import { models as words } from "#strings/models";
import { modelKinds } from "../../../api/models.ts";
import kit from "../../../ui/kit.module.css";
import { kindLooks } from "./kind-looks.ts";
import { countsOf, type Filters } from "./model-matching.ts";
import styles from "./models.module.css";

export function ModelFilters(props: {
  readonly models: readonly Pick<AccountModel, "provider" | "kind">[];
  readonly filters: Filters;
  readonly hasWorks: boolean;
  readonly set: (next: Partial<Record<keyof Filters, string | undefined>>) => void;
}): ReactNode {
  const { filters, set } = props;
  const providers = countsOf(props.models.map(({ provider }) => provider));
  const kinds = countsOf(props.models.map(({ kind }) => kind ?? "other"));
  return (
    <search className={styles.filters}>
      <input
        type="search"
        className={kit.input}
        aria-label={words.filters.search}
        placeholder={words.filters.hint}
        maxLength={200}
        defaultValue={filters.q ?? ""}
        onChange={(event) => set({ q: event.target.value || undefined })}
      />
      <fieldset className={styles.facets} aria-label={words.filters.kinds}>
        {modelKinds
          .filter((kind) => kinds.has(kind))
          .map((kind) => (
            <Facet
              key={kind}
              isOn={filters.kind === kind}
              count={kinds.get(kind) ?? 0}
              onToggle={() => set({ kind: filters.kind === kind ? undefined : kind })}
            >
              {kindLooks[kind].word}
            </Facet>
          ))}
        {props.hasWorks ? (
          <Facet
            isOn={filters.kind === "work"}
            onToggle={() => set({ kind: filters.kind === "work" ? undefined : "work" })}
          >
            {words.list.works}
          </Facet>
        ) : null}
      </fieldset>
      {providers.size > 1 ? (
        <select
          className={styles.provider}
          aria-label={words.filters.providers}
          value={filters.provider ?? ""}
          onChange={({ target }) => set({ provider: target.value || undefined })}
        >
          <option value="">{words.list.allProviders}</option>
          {[...providers].map(([provider, count]) => (
            <option key={provider} value={provider}>
              {words.list.provider(provider, count)}
            </option>
          ))}
        </select>
      ) : null}
    </search>
  );
}

function Facet(props: {
  readonly isOn: boolean;
  readonly count?: number;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <button type="button" className={styles.facet} aria-pressed={props.isOn} onClick={props.onToggle}>
      {props.children}
      {props.count === undefined ? null : <span>{props.count}</span>}
    </button>
  );
}
