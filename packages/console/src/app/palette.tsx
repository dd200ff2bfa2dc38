// Find anything: a page by its name, or any id (job, request, asset, hash, model, node, key) on the server.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { call } from "../api/client.ts";
import kit from "../ui/kit.module.css";
import { navigation } from "./navigation.ts";
import styles from "./palette.module.css";

interface Found {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly subtitle?: string | null;
}

interface Entry {
  readonly key: string;
  readonly title: string;
  readonly kind: string;
  readonly subtitle?: string | null | undefined;
  readonly to: string;
}

// Where each kind of thing is looked at.
const pathOf: Readonly<Record<string, (id: string) => string>> = {
  job: (id) => `/console/jobs/${id}`,
  request: (id) => `/console/requests/${id}`,
  asset: (id) => `/console/gallery?asset=${id}`,
  model: (id) => `/console/models/${id}`,
  node: (id) => `/console/nodes/${id}`,
  publisher: (id) => `/console/nodes?publisher=${encodeURIComponent(id)}`,
  key: () => "/profile/api-keys",
  delivery: (id) => `/console/webhooks?delivery=${id}`,
  node_class: (id) => `/console/classes?name=${encodeURIComponent(id)}`,
};

export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const typed = withoutSecret(text.trim());
  const q = useDeferredValue(typed);
  const { data, isFetching } = useQuery({
    queryKey: ["find", q],
    enabled: q.length > 1,
    retry: 0,
    queryFn: ({ signal }) => call<{ data: readonly Found[] }>("/account/find", { query: { q }, signal }),
  });
  // Pages follow what is typed at once: Enter right after the last letter opens what those letters say.
  const entries = entriesOf(typed, q === typed ? (data?.data ?? []) : []);
  const navigate = useNavigate();
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const go = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    navigate({ href: entry.to });
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
    <dialog ref={dialog} className={styles.palette} aria-label="Find anything" onClose={onClose}>
      <input
        className={styles.input}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={entries[at] ? `${id}-${at}` : undefined}
        aria-label="Search, or paste an id"
        placeholder="A page, a model, a node, or any id"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <div role="listbox" id={id} aria-label="Found" className={styles.list}>
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
        {q.length > 1 && !isFetching && entries.length === 0
          ? `Nothing is called “${q}” here.`
          : "Enter opens · Esc closes"}
      </p>
    </dialog>
  );
}

// A whole key that was pasted is looked for by its public part; the rest stays in this field.
function withoutSecret(text: string): string {
  return text.replace(/^(service-[0-9A-Za-z]{8})_.*$/s, "$1");
}

function entriesOf(q: string, found: readonly Found[]): Entry[] {
  const wanted = q.toLowerCase();
  const pages = navigation
    .flatMap(({ entries }) => entries)
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .map(({ label, to }) => ({ key: to, title: label, kind: "page", to }));
  const things = found.map(({ kind, id, title, subtitle }) => ({
    key: `${kind} ${id}`,
    title,
    subtitle,
    kind: kind.replaceAll("_", " "),
    to: pathOf[kind]?.(id) ?? "/",
  }));
  return [...things, ...pages.slice(0, things.length > 0 ? 4 : 12)];
}
