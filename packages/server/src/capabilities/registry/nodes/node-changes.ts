// Which nodes readers see differently now: told in this process at once and to the others over the bus, and the one who changed
// them is answered when those have had a moment to hear of it. A look at the database every two seconds finds what the bus lost.
import type { Background } from "../../../foundation/background.ts";
import type { Bus } from "../../../foundation/bus/bus.ts";
import { untilHeard } from "../../../foundation/bus/forgetting.ts";
import type { Queryable } from "../../../foundation/database/index.ts";
import { findChanges } from "./node-store.ts";

export interface NodeChanges {
  // Folded ids, once the change is committed. This process has heard when it returns, the others when it resolves.
  nodesChanged(folded: readonly string[]): Promise<void>;
  // Null: any node may have changed.
  onChange(hear: (folded: readonly string[] | null) => void): void;
  // Looks for changes of other processes until the signal fires.
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export interface NodeChangesDeps {
  readonly database: Queryable;
  readonly bus: Bus;
}

const topic = "registry nodes";
const lookEveryMs = 2_000;
// What was committed late has a moment before the last look.
const overlapMs = 10_000;
const namedAtOnce = 50;

export function createNodeChanges({ database, bus }: NodeChangesDeps): NodeChanges {
  const hearers: ((folded: readonly string[] | null) => void)[] = [];
  const tell = (folded: readonly string[] | null) => {
    for (const hear of hearers) hear(folded);
  };
  const leave = bus.subscribe(topic, (message) => {
    const isList = Array.isArray(message) && message.every((one) => typeof one === "string");
    tell(isList ? message : null);
  });
  return {
    async nodesChanged(folded) {
      if (folded.length === 0) return;
      const named = folded.length <= namedAtOnce ? folded : null;
      tell(named);
      bus.publish(topic, named);
      await untilHeard(bus);
    },
    onChange: (hear) => void hearers.push(hear),
    async run(background, signal) {
      const work = { name: "registry: forget changed answers", everyMs: lookEveryMs, round: lookFor(database, tell) };
      await background.run(work, signal);
      leave();
    },
  };
}

function lookFor(database: Queryable, tell: (folded: readonly string[]) => void) {
  let since: Date | null = null;
  let told = new Set<string>();
  return async () => {
    const { until, changed } = await findChanges(database, since);
    const fresh = changed.filter(({ folded, stamp }) => !told.has(`${folded} ${stamp}`));
    if (fresh.length > 0) tell(fresh.map(({ folded }) => folded));
    // Within the overlap the same change is found again and again; it is told once.
    told = new Set(changed.map(({ folded, stamp }) => `${folded} ${stamp}`));
    since = new Date(until.getTime() - overlapMs);
  };
}
