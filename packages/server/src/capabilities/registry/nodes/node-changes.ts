// Announces nodes that changed for readers: in this process immediately, to the others over the bus. The caller who made
// the change is answered after the others have had a moment to receive it. A query every two seconds finds changes that
// the bus lost.
import type { Background } from "../../../foundation/background.ts";
import type { Bus } from "../../../foundation/bus/bus.ts";
import { untilHeard } from "../../../foundation/bus/forgetting.ts";
import type { Queryable } from "../../../foundation/database/index.ts";
import { findChanges } from "./node-store.ts";

export interface NodeChanges {
  // Folded ids; call it after the commit. This process knows when the call returns, the others when it resolves.
  nodesChanged(folded: readonly string[]): Promise<void>;
  // Null means any node may have changed.
  onChange(hear: (folded: readonly string[] | null) => void): void;
  // Looks for changes by other processes until the signal fires.
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export interface NodeChangesDeps {
  readonly database: Queryable;
  readonly bus: Bus;
}

const topic = "registry nodes";
const lookEveryMs = 2_000;
// Each query looks this far back, to catch changes that were committed late.
const overlapMs = 10_000;
const namedAtOnce = 50;

export function createNodeChanges({ database, bus }: NodeChangesDeps): NodeChanges {
  const hearers: ((folded: readonly string[] | null) => void)[] = [];
  const announce = (folded: readonly string[] | null) => {
    for (const hear of hearers) hear(folded);
  };
  const leave = bus.subscribe(topic, (message) => {
    const isList = Array.isArray(message) && message.every((one) => typeof one === "string");
    announce(isList ? message : null);
  });
  return {
    async nodesChanged(folded) {
      if (folded.length === 0) return;
      const named = folded.length <= namedAtOnce ? folded : null;
      announce(named);
      bus.publish(topic, named);
      await untilHeard(bus);
    },
    onChange: (hear) => void hearers.push(hear),
    async run(background, signal) {
      const work = {
        name: "registry: forget changed answers",
        everyMs: lookEveryMs,
        round: lookFor(database, announce),
      };
      await background.run(work, signal);
      leave();
    },
  };
}

function lookFor(database: Queryable, announce: (folded: readonly string[]) => void) {
  let since: Date | null = null;
  let announced = new Set<string>();
  return async () => {
    const { until, changed } = await findChanges(database, since);
    const fresh = changed.filter(({ folded, stamp }) => !announced.has(`${folded} ${stamp}`));
    if (fresh.length > 0) announce(fresh.map(({ folded }) => folded));
    // Within the overlap every query finds the same changes again; we announce each once.
    announced = new Set(changed.map(({ folded, stamp }) => `${folded} ${stamp}`));
    since = new Date(until.getTime() - overlapMs);
  };
}
