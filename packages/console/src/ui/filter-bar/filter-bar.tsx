// What narrows a wall of cards: words, kinds with their counts, and one choice from a longer list.
import type { ReactNode } from "react";
import kit from "../kit.module.css";
import styles from "./filter-bar.module.css";

export function FilterBar(props: {
  readonly label: string;
  readonly hint: string;
  readonly q: string | undefined;
  readonly onQ: (q: string | undefined) => void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <search className={styles.filters}>
      <input
        type="search"
        className={kit.input}
        aria-label={props.label}
        placeholder={props.hint}
        maxLength={200}
        defaultValue={props.q ?? ""}
        onChange={({ target }) => props.onQ(target.value || undefined)}
      />
      {props.children}
    </search>
  );
}

export function Facets({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <fieldset className={styles.facets} aria-label={label}>
      {children}
    </fieldset>
  );
}

export function Facet(props: {
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

export function FilterChoice(props: {
  readonly label: string;
  readonly all: string;
  readonly value: string | undefined;
  // Each with its words.
  readonly choices: readonly (readonly [value: string, words: string])[];
  readonly onChoose: (value: string | undefined) => void;
}): ReactNode {
  return (
    <select
      className={styles.choice}
      aria-label={props.label}
      value={props.value ?? ""}
      onChange={({ target }) => props.onChoose(target.value || undefined)}
    >
      <option value="">{props.all}</option>
      {props.choices.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}
