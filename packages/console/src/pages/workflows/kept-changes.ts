// Changes are stored in this browser when typing pauses, and before the page unloads.
import { useEffect, useRef, useState } from "react";
import type { Draft } from "../../ui/workflow-form/draft.ts";
import type { Changes } from "./workflow-drafts.ts";

// Refused: the browser does not store them, so a reload would lose them.
export type KeptState = "unchanged" | "keeping" | "kept" | "refused";

const pauseMs = 250;

export function useKeptChanges(edits: Draft, labels: string, onChange: (changes: Changes) => boolean): KeptState {
  const [state, setState] = useState<KeptState>("unchanged");
  const latest = useRef({ edits, labels, onChange });
  latest.current = { edits, labels, onChange };
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at a change of what it does not read
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    setState("keeping");
    const keep = () => latest.current.onChange(latest.current);
    const timer = setTimeout(() => setState(keep() ? "kept" : "refused"), pauseMs);
    addEventListener("pagehide", keep);
    return () => {
      clearTimeout(timer);
      removeEventListener("pagehide", keep);
      keep();
    };
  }, [edits, labels]);
  return state;
}
