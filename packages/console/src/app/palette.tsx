// Find anything: a page or an action by name, a node class, a job by label, or any id on the server.

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { app } from "#strings/app";
import { palette as words } from "#strings/palette";
import { classNamesQuery } from "../api/classes.ts";
import { call } from "../api/client.ts";
import { labelQuery } from "../api/labels.ts";
import { operations } from "../api/operations.ts";
import kit from "../ui/kit.module.css";
import { chooseTheme } from "../ui/theme.ts";
import styles from "./palette.module.css";
import { type Entry, entriesOf } from "./palette-entries.ts";

export function Palette({ onClose, onHelp }: { readonly onClose: () => void; readonly onHelp: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const { entries, hasNothing, q } = useEntries(withoutSecret(text.trim()));
  const navigate = useNavigate();
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const go = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    if ("theme" in entry) chooseTheme(entry.theme);
    else if ("shows" in entry) onHelp();
    else if ("leave" in entry) location.assign(entry.leave);
    else navigate({ href: entry.to });
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((entries.length + at + step) % Math.max(1, entries.length));
    }
    if (event.key === "Enter") go(entries[at] ?? entries[0]);
  };
  return (
    <dialog ref={dialog} className={styles.palette} aria-label={words.title} onClose={onClose}>
      <input
        className={styles.input}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={entries[at] ? `${id}-${at}` : undefined}
        aria-label={app.search}
        placeholder={words.hint}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <div role="listbox" id={id} aria-label={words.results} className={styles.list}>
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={entry.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={styles.entry}
            onClick={() => go(entry)}
          >
            <span className={styles.title}>{entry.title}</span>
            {entry.subtitle ? <span className={kit.soft}>{entry.subtitle}</span> : null}
            <span className={styles.kind}>{entry.kind}</span>
          </div>
        ))}
      </div>
      <p className={styles.foot} role="status">
        {hasNothing ? words.none(q) : words.keys}
      </p>
    </dialog>
  );
}

function useEntries(typed: string) {
  const q = useDeferredValue(typed);
  const { data, isFetching } = useQuery({
    queryKey: ["find", q],
    enabled: q.length > 1,
    retry: 0,
    queryFn: ({ signal }) => call(operations.findThings, { query: { q }, signal }),
  });
  const classes = useQuery({ ...classNamesQuery, enabled: q.length > 1 });
  const [saved, works] = [useFoundSaved(q), useFoundWorks(q)];
  const labelled = useQuery({
    queryKey: ["find", "jobs-by-label", q],
    enabled: q.length > 1,
    retry: 0,
    queryFn: ({ signal }) => call(operations.listJobs, { query: { ...labelQuery(q), limit: 5 }, signal }),
  });
  // Pages match what is typed without delay: Enter right after the last letter opens what those letters say.
  const isNew = q !== typed;
  const entries = entriesOf(typed, {
    found: isNew ? [] : (data?.data ?? []),
    jobs: isNew ? [] : (labelled.data?.data ?? []),
    classes: classes.data ?? [],
    saved: isNew ? [] : saved,
    works: isNew ? [] : works,
  });
  return { entries, q, hasNothing: q.length > 1 && !isFetching && entries.length === 0 };
}

const perKind = 5;

function useFoundSaved(q: string) {
  const { data } = useQuery({
    queryKey: ["find", "saved", q],
    enabled: q.length > 1,
    retry: 0,
    queryFn: ({ signal }) => call(operations.listSavedWorkflows, { query: { q, limit: perKind }, signal }),
  });
  return data?.data ?? [];
}

function useFoundWorks(q: string) {
  const { data } = useQuery({
    queryKey: ["find", "works", q],
    enabled: q.length > 1,
    retry: 0,
    queryFn: ({ signal }) => call(operations.listCallableWorks, { query: { q, limit: perKind }, signal }),
  });
  return data?.data ?? [];
}

// If a whole key is pasted, we search by its public part; the secret never leaves this field.
function withoutSecret(text: string): string {
  return text.replace(/^(service-[0-9A-Za-z]{8})_.*$/s, "$1");
}
