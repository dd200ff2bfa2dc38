// One run at a time, direct or queued. A reload finds a queued one again by its id; a direct one can be collected under its key.
// Whatever happens on the way, the same key pays once.
import type { ModelRequest, ModelResult } from "@atelier/sdk";
import { type Dispatch, type SetStateAction, useEffect, useMemo, useRef, useState } from "react";
import { atelier } from "../atelier.ts";
import { type ApiFault, asFault } from "../fault.ts";

export type Input = Readonly<Record<string, unknown>>;

export interface RunFacts {
  // Null for a queued call found again after a reload, which does not know its key.
  readonly key: string | null;
  readonly isQueued: boolean;
  readonly startedAt: number;
}

export type RunState =
  | { readonly phase: "idle" }
  | ({
      readonly phase: "running";
      readonly request: ModelRequest | null;
      // Why it cannot be cancelled.
      readonly refusal?: string;
    } & RunFacts)
  | ({ readonly phase: "done"; readonly result: ModelResult<unknown>; readonly ms: number } & RunFacts & WithRequest)
  | ({ readonly phase: "failed"; readonly fault: ApiFault; readonly ms: number } & RunFacts & WithRequest)
  // We stopped waiting; it may continue at the provider.
  | ({ readonly phase: "left" } & RunFacts);

interface WithRequest {
  readonly request: ModelRequest | null;
}

export interface Run {
  readonly state: RunState;
  readonly start: (input: Input, how: { readonly isQueued: boolean; readonly key?: string }) => void;
  readonly cancel: () => void;
  readonly clear: () => void;
}

// What a run needs while it is under way.
interface Course {
  readonly model: string;
  readonly setState: Dispatch<SetStateAction<RunState>>;
  // Ends the wait, not the call.
  readonly control: { current: AbortController | null };
  // The queued call we wait for.
  readonly followed: { current: string | null };
  // Cancelled before the server had answered with an id.
  readonly unwanted: { current: boolean };
}

export function useRun(model: string, queuedId: string | null, onQueued: (id: string | null) => void): Run {
  const [state, setState] = useState<RunState>({ phase: "idle" });
  const control = useRef<AbortController | null>(null);
  const followed = useRef<string | null>(null);
  const unwanted = useRef(false);
  const course = useMemo(() => ({ model, setState, control, followed, unwanted }), [model]);
  useEffect(() => {
    if (queuedId === null || queuedId === followed.current) return;
    const facts = { key: null, isQueued: true, startedAt: Date.now() };
    setState({ ...facts, phase: "running", request: null });
    follow(course, queuedId, facts);
  }, [queuedId, course]);
  // Leaving the page ends the wait, not the call.
  useEffect(() => () => control.current?.abort(), []);
  return {
    state,
    start: (input, { isQueued, key = crypto.randomUUID() }) => {
      control.current?.abort();
      const facts = { key, isQueued, startedAt: Date.now() };
      setState({ ...facts, phase: "running", request: null });
      followed.current = null;
      unwanted.current = false;
      if (isQueued) return submit(course, input, facts, onQueued);
      onQueued(null);
      runAtOnce(course, input, facts);
    },
    cancel: () => cancel(course, state),
    clear: () => {
      control.current?.abort();
      followed.current = null;
      onQueued(null);
      setState({ phase: "idle" });
    },
  };
}

function settle(course: Course, facts: RunFacts, work: Promise<{ result: ModelResult<unknown> } & WithRequest>): void {
  const { setState } = course;
  work.then(
    ({ result, request }) =>
      setState({ ...facts, phase: "done", result, request, ms: msOf(request) ?? Date.now() - facts.startedAt }),
    (thrown) => {
      if (isAbort(thrown)) return;
      const { request, cause } = thrown instanceof FailedRequest ? thrown : { request: null, cause: thrown };
      setState({ ...facts, phase: "failed", fault: asFault(cause), request, ms: Date.now() - facts.startedAt });
    },
  );
}

function runAtOnce(course: Course, input: Input, facts: RunFacts): void {
  const aborter = new AbortController();
  course.control.current = aborter;
  const options = { signal: aborter.signal, ...(facts.key === null ? {} : { idempotencyKey: facts.key }) };
  const work = atelier.models.run(course.model, input, options);
  settle(
    course,
    facts,
    work.then((result) => ({ result, request: null })),
  );
}

function submit(course: Course, input: Input, facts: RunFacts, onQueued: (id: string) => void): void {
  const aborter = new AbortController();
  course.control.current = aborter;
  const options = { signal: aborter.signal, ...(facts.key === null ? {} : { idempotencyKey: facts.key }) };
  atelier.models.submit(course.model, input, options).then(
    ({ id }) => {
      follow(course, id, facts);
      onQueued(id);
      if (course.unwanted.current) cancelQueued(course, id);
    },
    (thrown) => settle(course, facts, Promise.reject(thrown)),
  );
}

function follow(course: Course, id: string, facts: RunFacts): void {
  const aborter = new AbortController();
  course.followed.current = id;
  course.control.current = aborter;
  const onUpdate = (request: ModelRequest) => course.setState({ ...facts, phase: "running", request });
  settle(course, facts, collect(course.model, id, aborter.signal, onUpdate));
}

function cancel(course: Course, state: RunState): void {
  if (state.phase !== "running") return;
  const { key, isQueued, startedAt } = state;
  const id = course.followed.current;
  if (!isQueued) {
    course.control.current?.abort();
    course.setState({ phase: "left", key, isQueued, startedAt });
  } else if (id === null) course.unwanted.current = true;
  else cancelQueued(course, id);
}

function cancelQueued({ model, setState }: Course, id: string): void {
  // It ends as cancelled, or the server says why it cannot; either shows in the wait.
  atelier.models
    .request(model, id)
    .then((request) => request.cancel())
    .catch((thrown) => {
      const fault = asFault(thrown);
      if (fault.code === "already_completed") return;
      setState((now) => (now.phase === "running" ? { ...now, refusal: fault.message } : now));
    });
}

// A queued call that failed, with what we know about it.
class FailedRequest extends Error {
  readonly request: ModelRequest;
  constructor(request: ModelRequest, cause: unknown) {
    super(undefined, { cause });
    this.request = request;
  }
}

async function collect(
  model: string,
  id: string,
  signal: AbortSignal,
  onUpdate: (request: ModelRequest) => void,
): Promise<{ result: ModelResult<unknown>; request: ModelRequest }> {
  const handle = await atelier.models.request(model, id, { signal });
  const request = await handle.wait({ signal, onUpdate });
  try {
    // Use the id of the call, under which it is recorded: reading the answer was a separate request.
    return { result: { ...(await handle.result({ signal })), requestId: id }, request };
  } catch (cause) {
    throw isAbort(cause) ? cause : new FailedRequest(request, cause);
  }
}

function msOf(request: ModelRequest | null): number | null {
  if (!request?.completed_at) return null;
  return new Date(request.completed_at).getTime() - new Date(request.created_at).getTime();
}

const isAbort = (thrown: unknown): boolean => thrown instanceof DOMException && thrown.name === "AbortError";
