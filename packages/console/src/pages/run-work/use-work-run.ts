// One run at a time, and what was made so far. A run is queued, so that a reload finds it again.
import { useEffect, useRef, useState } from "react";
import { type Input, type Run, useRun } from "../../api/model-calls/model-run.ts";
import { foundMedia } from "../../ui/viewers/found-media.ts";
import { type Made, readMade, readRunning, shownOf, tabStore, withMade, writeMade, writeRunning } from "./runs.ts";

export interface WorkRun {
  readonly state: Run["state"];
  readonly made: readonly Made[];
  // What the stage shows once nothing runs; null for the cover.
  readonly shown: Made | null;
  readonly show: (made: Made) => void;
  readonly start: (input: Input) => void;
  readonly stop: () => void;
}

export function useWorkRun(work: string): WorkRun {
  const [store] = useState(tabStore);
  const [running, setRunning] = useState(() => readRunning(work, store));
  const [made, setMade] = useState(() => readMade(work, store));
  const [shown, setShown] = useState<Made | null>(() => made[0] ?? null);
  const inputs = useRef<Input>({});
  const run = useRun(work, running, (id) => {
    writeRunning(work, id, store);
    setRunning(id);
  });
  const { state } = run;
  useEffect(() => {
    if (state.phase === "failed") writeRunning(work, null, store);
    if (state.phase !== "done") return;
    writeRunning(work, null, store);
    const id = state.result.requestId ?? String(state.startedAt);
    const entry = {
      id,
      inputs: { ...inputs.current, ...usedInputs(state.result.data) },
      media: shownOf(foundMedia(state.result.data)),
    };
    setShown(entry);
    setMade((list) => {
      const next = withMade(list, entry);
      writeMade(work, next, store);
      return next;
    });
  }, [state, work, store]);
  return {
    state,
    made,
    shown,
    show: (entry) => {
      run.clear();
      setShown(entry);
    },
    start: (input) => {
      inputs.current = input;
      run.start(input, { isQueued: true });
    },
    stop: run.cancel,
  };
}

// The answer says which inputs were used, with the random ones. If they are long, it only says the numbers.
function usedInputs(answer: unknown): Input {
  if (typeof answer !== "object" || answer === null || !("inputs" in answer)) return {};
  return typeof answer.inputs === "object" && answer.inputs !== null ? (answer.inputs as Input) : {};
}
