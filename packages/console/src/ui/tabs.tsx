// Tabs: one is selected, arrow keys move. If the tab belongs in the address, the caller keeps it there.
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import kit from "./kit.module.css";

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: ReactNode;
}

export function Tabs<Name extends string>(props: {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  readonly children: ReactNode;
}): ReactNode {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  useShown(list, props.chosen);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const at = props.tabs.findIndex(({ name }) => name === props.chosen);
    const next = props.tabs.at((at + step) % props.tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    props.onChoose(next.name);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  return (
    <>
      <div ref={list} role="tablist" aria-label={props.label} className={kit.tabs} onKeyDown={move}>
        {props.tabs.map(({ name, label }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            data-tab={name}
            aria-selected={name === props.chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === props.chosen ? 0 : -1}
            className={kit.tab}
            onClick={() => props.onChoose(name)}
          >
            {label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${props.chosen}`} style={{ minWidth: 0 }}>
        {props.children}
      </div>
    </>
  );
}

// If the row is wider than the page, scrolls the selected tab into view, with some of what follows; the page does not move.
function useShown(list: RefObject<HTMLElement | null>, chosen: string): void {
  useEffect(() => {
    const row = list.current;
    const tab = row?.querySelector<HTMLElement>(`[data-tab="${chosen}"]`);
    if (!row || !tab) return;
    const [at, seen] = [tab.getBoundingClientRect(), row.getBoundingClientRect()];
    if (at.right > seen.right - peekPx) row.scrollLeft += at.right - seen.right + peekPx;
    else if (at.left < seen.left + peekPx) row.scrollLeft += at.left - seen.left - peekPx;
  }, [list, chosen]);
}

const peekPx = 24;
