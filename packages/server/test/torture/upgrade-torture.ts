// A rolling upgrade under load, as docs/FLEET.md tells operators to do it: `atelier migrate` of the newer version while
// the older one serves, then each gateway and each worker in turn is stopped and started in the newer version. Callers
// get only what they asked for, or 503, after which the same request under the same key succeeds.
import { randomUUID } from "node:crypto";
import { systemClock } from "../../src/foundation/clock.ts";
import { type FleetLoadOptions, type FleetVerdict, startFleetLoad } from "./fleet-load.ts";
import { type Answered, type FleetSize, type FleetWorld, fleetWorld, type Statuses } from "./fleet-world.ts";
import { newerVersion } from "./newer-version.ts";
import type { RouterCall } from "./router-clients.ts";
import { type Seeded, seeded } from "./seeded.ts";

export interface UpgradeTorture extends FleetSize, Omit<FleetLoadOptions, "random" | "makeCall"> {
  readonly seed: number;
  // How long the load runs before, between and after the steps.
  readonly pauseSeconds: number;
  say(line: string): void;
}

export interface UpgradeReport extends FleetVerdict {
  readonly answered: Answered;
  readonly statuses: Statuses;
  readonly seconds: number;
}

export async function tortureUpgrade(options: UpgradeTorture): Promise<UpgradeReport> {
  const startedMs = performance.now();
  const newer = newerVersion();
  const world = await fleetWorld(options);
  try {
    const load = await startFleetLoad(world, { ...options, random: seeded(options.seed), makeCall: aSoundCall });
    const faults = await upgrade(world, options, newer, () => load.summary());
    const seen = { answered: { ...world.answered }, statuses: new Map(world.statuses) };
    const verdict = await load.stop();
    const violations = [...verdict.violations, ...faults, ...unexpected(seen)];
    return { ...verdict, ...seen, violations, seconds: (performance.now() - startedMs) / 1000 };
  } finally {
    await world.close();
    newer.close();
  }
}

async function upgrade(
  world: FleetWorld,
  { gateways, workers, pauseSeconds, say }: UpgradeTorture,
  newer: { readonly program: string; readonly version: string },
  summary: () => string,
): Promise<string[]> {
  const faults: string[] = [];
  const startedMs = performance.now();
  const at = () => `${((performance.now() - startedMs) / 1000).toFixed(1).padStart(6)} s`;
  const step = async (name: string) => {
    const versions = [...(await world.versions())].sort().join(" and ");
    say(
      `${at()}  ${name}: ${versions}; ${summary()}, refused ${world.answered.refused}, broken ${world.answered.broken}`,
    );
    await systemClock.sleep(pauseSeconds * 1000);
  };
  await step("under load");
  const migrated = await world.command(["migrate"], newer.program);
  if (migrated.code !== 0) faults.push(`the migration failed: ${migrated.said}`);
  await step("migrated");
  for (const [part, count] of [
    ["gateway", gateways],
    ["worker", workers],
  ] as const) {
    for (let which = 0; which < count; which += 1) {
      const code = await world.restart(part, which, newer.program);
      if (code !== 0) faults.push(`${part} ${which} ended with ${code}`);
      await step(`${part} ${which + 1} of ${count} is newer`);
    }
  }
  const versions = [...(await world.versions())];
  if (versions.join() !== newer.version) faults.push(`at the end there is ${versions.join(" and ")}`);
  return faults;
}

// A call whose provider makes no mistakes, so any failure is ours.
function aSoundCall(random: Seeded): RouterCall {
  const model = random.pick(["sandbox/image-1-queued", "sandbox/voice-1", "sandbox/text-1"]);
  const input = {
    prompt: "upgrade",
    seed: Math.floor(random.next() * 1e9),
    ...(model === "sandbox/image-1-queued" ? { width: 64, height: 64 } : {}),
    simulate_seconds: Math.round(random.between(0, 1_500)) / 1000,
  };
  return {
    model,
    body: Buffer.from(JSON.stringify(input)),
    key: randomUUID(),
    isPriced: model !== "sandbox/text-1",
    answers: new Set(),
    credits: new Set(),
  };
}

function unexpected({ answered, statuses }: { readonly answered: Answered; readonly statuses: Statuses }): string[] {
  const wrong = [...statuses].filter(([status]) => status >= 400 && status !== 503);
  return [
    ...wrong.map(([status, count]) => `${status} was answered ${count} times`),
    ...(answered.broken > 0 ? [`${answered.broken} connections broke`] : []),
  ];
}
