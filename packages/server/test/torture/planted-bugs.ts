// Bugs planted to check that they are found: a test of the test. They live here and in the worker program, never in the
// product. Each comes with the run that exposes it; the checker is always the same.
import { findCalls } from "../../src/capabilities/calls/call/call-store.ts";
import type { Calls, FollowRules } from "../../src/capabilities/calls/index.ts";
import type { Database } from "../../src/foundation/database/index.ts";
import type { ProviderKind, ProviderTemper } from "./provider-script.ts";
import { rules, scale } from "./scale.ts";
import type { StrikePoint } from "./strike-points.ts";
import { freeKeyOf, keepSlot, loseLines } from "./torture-store.ts";

export const plants = [
  // Sends before the intent is committed.
  "no-intent",
  // Ends a call without looking at the fence.
  "no-fence",
  "reply-before-commit",
  // Releases the hold when a call takes long.
  "hold-by-timer",
  // Believes the first "not found".
  "early-not-found",
  // Sends without checking how long ago the intent was.
  "no-self-check",
  // Ends some calls without their one journal line.
  "line-forgotten",
  // Takes a key for free although the call it names is still open.
  "open-call-overlooked",
  // Ends a call that travels alone without giving its slot back.
  "lone-keeps-slot",
  // Reports an ending that shares a round with a beginning as stored before the round is.
  "round-told-early",
] as const;
export type Plant = (typeof plants)[number];

export interface PlantedRun {
  readonly kills: number;
  readonly pauses: number;
  readonly kinds: readonly [ProviderKind, ...ProviderKind[]];
  readonly killPoints: readonly [StrikePoint, ...StrikePoint[]];
  readonly pausePoints: readonly [StrikePoint, ...StrikePoint[]];
  readonly pauseMs?: readonly [number, number];
  readonly temper?: ProviderTemper;
}

const everyKind = ["ask", "repeat", "neither"] as const;
// Work that is still running when a stopped process comes back.
const longWork: ProviderTemper = { faultShare: 0, workMs: [600, 2_400] };

export const plantedRuns: Readonly<Record<Plant, PlantedRun>> = {
  "no-intent": { kills: 16, pauses: 0, kinds: everyKind, killPoints: ["sent", "answered"], pausePoints: ["begun"] },
  "no-fence": {
    kills: 0,
    pauses: 10,
    kinds: ["repeat"],
    killPoints: ["begun"],
    pausePoints: ["begun"],
    pauseMs: [4_200, 5_600],
    temper: longWork,
  },
  "reply-before-commit": {
    kills: 16,
    pauses: 0,
    kinds: ["neither"],
    killPoints: ["answered"],
    pausePoints: ["begun"],
  },
  "hold-by-timer": { kills: 4, pauses: 0, kinds: everyKind, killPoints: ["begun"], pausePoints: ["begun"] },
  "early-not-found": {
    kills: 0,
    pauses: 6,
    kinds: ["ask"],
    killPoints: ["sending"],
    pausePoints: ["sending"],
    pauseMs: [5_000, 6_000],
  },
  "no-self-check": {
    kills: 0,
    pauses: 4,
    kinds: ["ask"],
    killPoints: ["begun"],
    pausePoints: ["begun"],
    pauseMs: [13_500, 15_000],
  },
  "line-forgotten": { kills: 2, pauses: 0, kinds: everyKind, killPoints: ["begun"], pausePoints: ["begun"] },
  "open-call-overlooked": { kills: 4, pauses: 0, kinds: everyKind, killPoints: ["sent"], pausePoints: ["begun"] },
  "lone-keeps-slot": { kills: 2, pauses: 0, kinds: everyKind, killPoints: ["begun"], pausePoints: ["begun"] },
  "round-told-early": { kills: 16, pauses: 0, kinds: ["neither"], killPoints: ["finished"], pausePoints: ["begun"] },
};

export const rulesUnder = (plant: Plant | null): FollowRules =>
  plant === "early-not-found" ? { ...rules, quarantineSeconds: 0, notFoundTimes: 1 } : rules;

export function callsUnder(plant: Plant | null, calls: Calls, database: Database): Calls {
  if (plant === "no-fence") return { ...calls, finish: (ending) => finishUnfenced(calls, database, ending) };
  if (plant === "hold-by-timer") return { ...calls, begin: (opening) => beginWithTimer(calls, opening) };
  if (plant === "no-self-check") return { ...calls, begin: (opening) => beginUnchecked(calls, opening) };
  if (plant === "line-forgotten") return forgettingLines(calls, database);
  if (plant === "open-call-overlooked")
    return { ...calls, begin: (opening) => beginOverOpen(calls, database, opening) };
  if (plant === "lone-keeps-slot") return keepingLoneSlots(calls, database);
  if (plant === "round-told-early") return announcingEarly(calls);
  return calls;
}

function forgettingLines(calls: Calls, database: Database): Calls {
  // Every worker plants it; two at the same time may collide, and then one of them has done it.
  let planted: Promise<void> | undefined;
  return {
    ...calls,
    async finish(ending) {
      planted ??= loseLines(database).catch(() => undefined);
      await planted;
      return calls.finish(ending);
    },
  };
}

async function beginOverOpen(calls: Calls, database: Database, opening: Parameters<Calls["begin"]>[0]) {
  const begun = await calls.begin(opening);
  if (begun.kind !== "join") return begun;
  await freeKeyOf(database, begun.callId);
  return calls.begin(opening);
}

function keepingLoneSlots(calls: Calls, database: Database): Calls {
  let underWay = 0;
  return {
    ...calls,
    async finish(ending) {
      const isAlone = underWay++ === 0;
      const isOurs = await calls.finish(ending).finally(() => {
        underWay -= 1;
      });
      if (isOurs && isAlone) await keepSlot(database, ending.call.workspaceId);
      return isOurs;
    },
  };
}

function announcingEarly(calls: Calls): Calls {
  let beginning = 0;
  return {
    ...calls,
    async begin(opening) {
      beginning += 1;
      return calls.begin(opening).finally(() => {
        beginning -= 1;
      });
    },
    async finish(ending) {
      const stored = calls.finish(ending);
      if (beginning === 0) return stored;
      stored.catch(() => false);
      return true;
    },
  };
}

async function finishUnfenced(calls: Calls, database: Database, ending: Parameters<Calls["finish"]>[0]) {
  const [now] = await findCalls(database, [ending.call.id]);
  return calls.finish({ ...ending, call: { ...ending.call, fence: now?.fence ?? ending.call.fence } });
}

async function beginWithTimer(calls: Calls, opening: Parameters<Calls["begin"]>[0]) {
  const begun = await calls.begin(opening);
  if (begun.kind !== "begun") return begun;
  const { call } = begun;
  const usage = {
    requestId: null,
    apiKeyId: null,
    subject: opening.subject,
    status: null,
    totalMs: 0,
    providerMs: null,
  };
  const release = () =>
    calls.finish({ call, state: "finished", outcome: "expired", charge: 0n, answer: null, usage }).catch(() => false);
  setTimeout(() => void release(), scale.requestMs);
  return begun;
}

async function beginUnchecked(calls: Calls, opening: Parameters<Calls["begin"]>[0]) {
  const begun = await calls.begin(opening);
  return begun.kind === "begun" ? { ...begun, call: { ...begun.call, maySend: () => true } } : begun;
}
