// What the playground does: one run, or four with different seeds, of the input in the form; and what was run before.
import type { ModelResult, PlaygroundRun } from "@atelier/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { type Lane, useLanes } from "../../api/model-calls/lanes.ts";
import { type Input, useRun } from "../../api/model-calls/model-run.ts";
import { inputOfRun, keepRun } from "../../api/model-calls/playground-runs.ts";
import { withoutPrivate } from "../../api/model-calls/without-private.ts";
import type { Schema } from "../../ui/schema-form/json-schema.ts";
import type { InputState } from "./input-state.ts";
import { seedFieldOf, withAnotherSeed, withSeeds } from "./seeds.ts";

interface Started {
  readonly key?: string;
  readonly input?: Input;
}

export function usePlay(model: string, schema: Schema, input: InputState) {
  const search = useSearch({ from: "/console/models/$provider/$model" });
  const run = useLinkedRun(model, search.request ?? null);
  const lanes = useLanes();
  const seed = useMemo(() => seedFieldOf(schema), [schema]);
  const [reopened, setReopened] = useState<PlaygroundRun | null>(null);
  // What the run that is shown was given, for the history. Null for one found again after a reload.
  const sent = useRef<Input | null>(null);
  const keep = useKeep(model);
  const isBusy = run.state.phase === "running" || lanes.isRunning;
  const start = ({ key, input: given = input.value }: Started = {}) => {
    sent.current = given;
    setReopened(null);
    lanes.clear();
    run.start(given, { isQueued: search.how === "queued", ...(key === undefined ? {} : { key }) });
  };
  return {
    run,
    lanes,
    seed,
    reopened,
    isBusy,
    start,
    startFour: () => {
      run.clear();
      setReopened(null);
      lanes.clear();
      const given = withSeeds(input.value, seed, 4);
      lanes.start(given.map((each, at) => ({ id: String(at + 1), model, input: each })));
    },
    again: (key: string) => start({ key, ...(sent.current === null ? {} : { input: sent.current }) }),
    startAnotherSeed: () => {
      if (seed === null || isBusy) return;
      const next = withAnotherSeed(input.value, seed);
      input.setValue(next);
      start({ input: next });
    },
    reopen: (past: PlaygroundRun | null) => {
      setReopened(past);
      if (past === null) return;
      run.clear();
      lanes.clear();
      input.setValue(inputOfRun(past));
    },
    keepRun: (assetIds: readonly string[]) => {
      if (run.state.phase === "done") keep(sent.current, run.state.result, assetIds);
    },
    keepLane: (lane: Lane, assetIds: readonly string[]) => {
      if (lane.phase === "done") keep(lane.call.input, lane.result, assetIds);
    },
  };
}

// A queued run is named in the address, so that a reload finds it.
function useLinkedRun(model: string, queuedId: string | null) {
  const navigate = useNavigate({ from: "/console/models/$provider/$model" });
  const client = useQueryClient();
  const run = useRun(model, queuedId, (id) =>
    navigate({
      search: ({ request: _old, ...now }) => (id === null ? now : { ...now, request: id }),
      replace: true,
      resetScroll: false,
    }),
  );
  const { phase } = run.state;
  useEffect(() => {
    // The run was charged and recorded, so reload the figures that show it.
    if (phase === "done" || phase === "failed") void client.invalidateQueries({ queryKey: ["usage"] });
  }, [phase, client]);
  return run;
}

// Remembers a run. A replay is not another run. If it cannot be kept, the result is there all the same.
function useKeep(model: string) {
  const client = useQueryClient();
  return (input: Input | null, result: ModelResult<unknown>, assetIds: readonly string[]) => {
    if (input === null || result.isReplay) return;
    const { requestId, creditsUsed: credits } = result;
    keepRun({ model, input: withoutPrivate(input), requestId, credits, assetIds })
      .then(() => client.invalidateQueries({ queryKey: ["playground runs", model] }))
      .catch(() => undefined);
  };
}
