// One run at a time, and what was made so far. A run is queued, so that a reload finds it again; one whose id had not come yet is sent
// again under its key.
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { type Input, type Run, useRun } from "../../api/model-calls/model-run.ts";
import { foundMedia } from "../../ui/viewers/found-media.ts";
import { useMemberRuns } from "./member-runs.ts";
import {
  allMade,
  type Made,
  readMade,
  readRunning,
  readStarted,
  shownOf,
  tabStore,
  withMade,
  writeMade,
  writeRunning,
  writeStarted,
} from "./runs.ts";

export interface WorkRun {
  readonly state: Run["state"];
  readonly made: readonly Made[];
  // What the stage shows once nothing runs; null for the cover.
  readonly shown: Made | null;
  readonly show: (made: Made) => void;
  readonly start: (input: Input) => void;
  readonly stop: () => void;
}

export function useWorkRun(work: string, isLink: boolean): WorkRun {
  const [store] = useState(tabStore);
  const [running, setRunning] = useState(() => readRunning(work, store));
  const [made, setMade] = useState(() => readMade(work, store));
  const [shown, setShown] = useState<Made | null>(() => made[0] ?? null);
  const inputs = useRef<Input>({});
  const member = useMemberRuns(work, !isLink);
  const keep = useEffectEvent(member.keep);
  const run = useRun(work, running, (id) => {
    writeRunning(work, id, store);
    writeStarted(work, null, store);
    setRunning(id);
  });
  const start = (input: Input, key: string) => {
    inputs.current = input;
    writeStarted(work, { key, inputs: input }, store);
    run.start(input, { isQueued: true, key });
  };
  const startAgain = useEffectEvent(() => {
    const started = readStarted(work, store);
    if (started !== null && running === null) start(started.inputs, started.key);
  });
  useEffect(() => startAgain(), []);
  const { state } = run;
  useEffect(() => {
    if (state.phase !== "done" && state.phase !== "failed") return;
    writeRunning(work, null, store);
    writeStarted(work, null, store);
    if (state.phase === "failed") return;
    const id = state.result.requestId ?? String(state.startedAt);
    const entry = {
      id,
      inputs: { ...inputs.current, ...usedInputs(state.result.data) },
      media: shownOf(foundMedia(state.result.data)),
    };
    keep(entry.inputs, state.result);
    setShown(entry);
    setMade((list) => {
      const next = withMade(list, entry);
      writeMade(work, next, store);
      return next;
    });
  }, [state, work, store]);
  return {
    state,
    made: allMade(made, member.made),
    shown,
    show: (entry) => {
      run.clear();
      setShown(entry);
    },
    start: (input) => start(input, crypto.randomUUID()),
    stop: run.cancel,
  };
}

// The answer says which inputs were used, with the random ones. If they are long, it only says the numbers.
function usedInputs(answer: unknown): Input {
  if (typeof answer !== "object" || answer === null || !("inputs" in answer)) return {};
  return typeof answer.inputs === "object" && answer.inputs !== null ? (answer.inputs as Input) : {};
}
