// Changes are stored in this browser when typing pauses, and before the page unloads.
import { useEffect, useRef, useState } from "react";
import type { Changes } from "./workflow-drafts.ts";

// Refused: the browser does not store them, so a reload would lose them.
export type KeptState = "unchanged" | "keeping" | "kept" | "refused";

const pauseMs = 250;

export function useKeptChanges(changes: Changes, onChange: (changes: Changes) => boolean): KeptState {
  const { edits, labels, batch } = changes;
  const [state, setState] = useState<KeptState>("unchanged");
  const latest = useRef({ changes, onChange });
  latest.current = { changes, onChange };
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at a change of what it does not read
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    setState("keeping");
    const keep = () => latest.current.onChange(latest.current.changes);
    const timer = setTimeout(() => setState(keep() ? "kept" : "refused"), pauseMs);
    addEventListener("pagehide", keep);
    return () => {
      clearTimeout(timer);
      removeEventListener("pagehide", keep);
      keep();
    };
  }, [edits, labels, batch]);
  return state;
}
