// A call of a route goes from target to target. It goes on only if it is proven that nothing ran where it was sent, and the
// change is committed before anything is sent to the next one: a process that takes the call over asks the right provider, under
// the right reference, and charges the right price (decision 0036).
import type { Clock } from "../../../foundation/clock.ts";
import { newId } from "../../../foundation/ids.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";
import type { Log } from "../../../foundation/log.ts";
import type { OwnedCall, ProviderAttempt, RecordedAnswer, Redirection } from "../../calls/index.ts";
import { pricedInput } from "../../prices/index.ts";
import { isProvenNotRun, type Outcome } from "../../providers/index.ts";
import type { Candidate } from "./plan-route.ts";

export interface RouteRun {
  // The route's id.
  readonly id: string;
  // The target that is asked now, and those after it.
  readonly current: Candidate;
  readonly rest: readonly Candidate[];
  // Commits the change before the next target is asked.
  redirect(call: OwnedCall, to: Redirection): Promise<OwnedCall | null>;
}

// What the next target is asked with.
export interface NextTarget extends Pick<Candidate, "model" | "document" | "exactIntegers" | "form"> {
  readonly call: OwnedCall;
  readonly bytes: Buffer;
  // Each target gets its own, so that no provider mistakes it for a call that it refused.
  readonly reference: string;
  readonly route: RouteRun;
}

export interface EndedTarget {
  readonly call: OwnedCall;
  readonly route: RouteRun;
  readonly outcome: Outcome;
  readonly attempts: readonly ProviderAttempt[];
  readonly startedMs: number;
}

// A successor believes "not found" once a call is older than the quarantine (follow-call.ts), so nothing is sent late.
const goOnWithinMs = 10 * 60_000;

// Null if the call ends with this outcome.
export async function nextTarget(
  deps: { readonly clock: Clock; readonly log: Log },
  { call, route, outcome, attempts, startedMs }: EndedTarget,
): Promise<NextTarget | null> {
  const [current, ...rest] = route.rest;
  if (current === undefined || !isProvenNotRun(outcome)) return null;
  if (deps.clock.monotonicMs() - startedMs > goOnWithinMs) return null;
  const reference = newId<"call">(deps.clock.now().getTime());
  const redirected = await route
    .redirect(call, redirectionTo(current, { reference, attempts }))
    // The call ends here: nothing ran, and nothing more is sent.
    .catch((error: unknown) => {
      deps.log.warn({ callId: call.id, err: error }, "a call could not go on to its next target");
      return null;
    });
  if (redirected === null) return null;
  const { model, document, exactIntegers, form } = current;
  const asked = { model, document, exactIntegers, ...(form ? { form } : {}), bytes: current.bytes() };
  return { ...asked, call: redirected, reference, route: { ...route, current, rest } };
}

// Everything a successor needs to ask this target and to charge for it.
export function redirectionTo(
  target: Candidate,
  more?: Partial<Pick<StoredTarget, "reference" | "attempts">>,
): Redirection {
  const { definition, definitionVersion, priceRecordId, isOwnCredential = false } = target.model;
  return {
    definitionVersion,
    priceRecordId,
    pricedInput: pricedInput(definition.price, target.document),
    recovery: definition.recovery,
    context: { own_credential: isOwnCredential, ...routeContext(target, more) },
  };
}

interface StoredTarget {
  readonly target: string;
  readonly dropped: readonly string[];
  // Absent: the call's id.
  readonly reference?: string;
  // What happened at the targets before.
  readonly attempts: readonly ProviderAttempt[];
}

// Stored with the call.
export function routeContext(
  { model, dropped }: Pick<Candidate, "model" | "dropped">,
  more: Partial<Pick<StoredTarget, "reference" | "attempts">> = {},
): object {
  return { route: { target: model.id, ...(dropped.length > 0 ? { dropped } : {}), ...more } };
}

export function storedTarget(context: unknown): StoredTarget | null {
  const stored = isRecord(context) ? context["route"] : null;
  if (!isRecord(stored)) return null;
  const { target, reference, attempts, dropped } = stored;
  if (typeof target !== "string") return null;
  return {
    target,
    dropped: Array.isArray(dropped) ? dropped.filter((name) => typeof name === "string") : [],
    ...(typeof reference === "string" ? { reference } : {}),
    attempts: Array.isArray(attempts) ? attempts : [],
  };
}

// Says who answered, and what it was not given.
export function namedTarget(
  answer: RecordedAnswer,
  { target, dropped }: Pick<StoredTarget, "target" | "dropped">,
): RecordedAnswer {
  const names = dropped.map((name) => encodeURIComponent(name)).join(",");
  return {
    ...answer,
    headers: {
      ...answer.headers,
      "x-service-route-target": target,
      ...(names === "" ? {} : { "x-service-dropped-params": names.slice(0, droppedCharactersMax) }),
    },
  };
}

const droppedCharactersMax = 1_000;
