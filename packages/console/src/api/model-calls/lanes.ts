// Several calls side by side: each has its own key, ends on its own, and can be left alone. What one of them made stays until it is
// run again or dropped.
import type { ModelResult } from "@atelier/sdk";
import { useEffect, useMemo, useRef, useState } from "react";
import { atelier } from "../atelier.ts";
import { type ApiFault, asFault } from "../fault.ts";
import type { Input } from "./model-run.ts";

export interface LaneCall {
  readonly id: string;
  readonly model: string;
  readonly input: Input;
}

interface LaneFacts {
  readonly call: LaneCall;
  readonly key: string;
}

export type Lane = LaneFacts &
  (
    | { readonly phase: "running"; readonly startedAt: number }
    | { readonly phase: "done"; readonly result: ModelResult<unknown>; readonly ms: number }
    | { readonly phase: "failed"; readonly fault: ApiFault; readonly ms: number }
    // We stopped waiting; it may continue at the provider.
    | { readonly phase: "left" }
  );

export interface Lanes {
  readonly of: Readonly<Record<string, Lane>>;
  readonly isRunning: boolean;
  readonly start: (calls: readonly LaneCall[]) => void;
  // Ends the wait for one.
  readonly stop: (id: string) => void;
  // Asks again under the same key: the answer is collected, and paid once.
  readonly collect: (id: string) => void;
  readonly drop: (id: string) => void;
  readonly clear: () => void;
}

export function useLanes(): Lanes {
  const [lanes, setLanes] = useState<Readonly<Record<string, Lane>>>({});
  const controls = useRef(new Map<string, AbortController>());
  // Leaving the page ends the waits, not the calls.
  useEffect(
    () => () => {
      for (const each of controls.current.values()) each.abort();
    },
    [],
  );
  const isRunning = Object.values(lanes).some(({ phase }) => phase === "running");
  return useMemo(() => {
    const run = (call: LaneCall, key: string) => {
      controls.current.get(call.id)?.abort();
      const aborter = new AbortController();
      controls.current.set(call.id, aborter);
      const startedAt = Date.now();
      const settle = (lane: Lane) => {
        if (!aborter.signal.aborted) setLanes((now) => ({ ...now, [call.id]: lane }));
      };
      settle({ phase: "running", call, key, startedAt });
      const options = { signal: aborter.signal, idempotencyKey: key };
      atelier.models.run(call.model, call.input, options).then(
        (result) => settle({ phase: "done", call, key, result, ms: Date.now() - startedAt }),
        (thrown) => settle({ phase: "failed", call, key, fault: asFault(thrown), ms: Date.now() - startedAt }),
      );
    };
    const end = (id: string) => {
      controls.current.get(id)?.abort();
      controls.current.delete(id);
    };
    return {
      of: lanes,
      isRunning,
      start: (calls) => {
        for (const call of calls) run(call, crypto.randomUUID());
      },
      stop: (id) => {
        const lane = lanes[id];
        if (lane?.phase !== "running") return;
        end(id);
        setLanes((now) => ({ ...now, [id]: { phase: "left", call: lane.call, key: lane.key } }));
      },
      collect: (id) => {
        const lane = lanes[id];
        if (lane !== undefined && lane.phase !== "running") run(lane.call, lane.key);
      },
      drop: (id) => {
        end(id);
        setLanes(({ [id]: _gone, ...left }) => left);
      },
      clear: () => {
        for (const id of [...controls.current.keys()]) end(id);
        setLanes({});
      },
    };
  }, [lanes, isRunning]);
}
