// Kills every part of a fleet in turn and at random while callers carry on, lets everything end, and judges: nothing that
// was acknowledged is lost, nothing is charged twice, no invariant is broken. It also counts what callers saw meanwhile.
import { systemClock } from "../../src/foundation/clock.ts";
import { type FleetLoadOptions, type FleetVerdict, startFleetLoad } from "./fleet-load.ts";
import { type Answered, type FleetSize, fleetWorld, type Part, type Statuses } from "./fleet-world.ts";
import { type Seeded, seeded } from "./seeded.ts";

export interface FleetTorture extends FleetSize, Omit<FleetLoadOptions, "random" | "makeCall"> {
  readonly seed: number;
  readonly seconds: number;
  say(line: string): void;
}

export interface FleetReport extends FleetVerdict {
  readonly answered: Answered;
  readonly statuses: Statuses;
  readonly strikes: Readonly<Record<Part, number>>;
  readonly seconds: number;
}

// A failover takes long and rebuilding takes longer; most of the parts are gateways.
const victims: readonly [Part, ...Part[]] = [
  "gateway",
  "gateway",
  "gateway",
  "worker",
  "worker",
  "nats",
  "store",
  "haproxy",
  "postgres",
];
const inTurn: readonly Part[] = ["gateway", "worker", "nats", "store", "postgres", "haproxy"];

export async function tortureFleet(options: FleetTorture): Promise<FleetReport> {
  const startedMs = performance.now();
  const random = seeded(options.seed);
  const world = await fleetWorld(options);
  const strikes: Record<Part, number> = { gateway: 0, worker: 0, postgres: 0, nats: 0, haproxy: 0, store: 0 };
  try {
    const load = await startFleetLoad(world, { ...options, random });
    const endMs = performance.now() + options.seconds * 1000;
    const strike = async (part: Part, own: Seeded) => {
      strikes[part] += 1;
      await world.strike(part, Math.floor(own.next() * 1_000));
      const count = Object.values(strikes).reduce((sum, each) => sum + each, 0);
      if (count % 5 === 0) options.say(`${count} strikes, ${load.summary()}`);
    };
    const own = random.stream("victims");
    for (const part of inTurn) if (performance.now() < endMs) await strike(part, own);
    while (performance.now() < endMs) {
      await systemClock.sleep(own.between(200, 2_000));
      await strike(own.pick(victims), own);
    }
    const { answered, statuses } = world;
    // What callers saw, without the judge's own requests.
    const seen = { answered: { ...answered }, statuses: new Map(statuses) };
    const verdict = await load.stop();
    return { ...verdict, ...seen, strikes, seconds: (performance.now() - startedMs) / 1000 };
  } finally {
    await world.close();
  }
}
