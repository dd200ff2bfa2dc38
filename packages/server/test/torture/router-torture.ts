// Kills real router processes at random moments while callers carry on, starts new ones, lets everything end, and judges.
import { systemClock } from "../../src/foundation/clock.ts";
import { inLanes } from "../support/router-calls.ts";
import { openInvocations, recordedUnderKey } from "../support/router-records-store.ts";
import { until } from "../support/server-process.ts";
import { ask, startClients } from "./router-clients.ts";
import { brokenInvariants, judge, type RouterVerdict } from "./router-judge.ts";
import { type RouterServer, type RouterWorld, routerWorld } from "./router-world.ts";
import { type Seeded, seeded } from "./seeded.ts";

export interface RouterTorture {
  readonly seed: number;
  readonly kills: number;
  // How many server processes run at the same time, and how many callers.
  readonly servers: number;
  readonly lanes: number;
  say(line: string): void;
}

export interface RouterTortureReport extends RouterVerdict {
  readonly kills: number;
  // How many calls were at a provider or on their way when a server was killed, in all.
  readonly struck: number;
  readonly keys: number;
  readonly keysAnswered: number;
  readonly troubles: readonly string[];
  readonly seconds: number;
}

export async function tortureRouter(options: RouterTorture): Promise<RouterTortureReport> {
  const startedMs = performance.now();
  const random = seeded(options.seed);
  const world = await routerWorld();
  const alive: RouterServer[] = [];
  const broken: string[] = [];
  let [kills, struck] = [0, 0];

  // One after another in each lane, so that the service as a whole is often up and sometimes down.
  async function executioner(own: Seeded, isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const server = await world.start();
      alive.push(server);
      await systemClock.sleep(own.between(150, 2_500));
      if (isDone()) return;
      kills += 1;
      struck += (await openInvocations(world.database)).length;
      alive.splice(alive.indexOf(server), 1);
      await server.kill();
      broken.push(...(await brokenInvariants(world.database, false)).map((what) => `after kill ${kills}: ${what}`));
      if (kills % 10 === 0) options.say(`${kills} kills, ${clients.calls.length} keys, ${broken.length} violations`);
    }
  }

  const clients = startClients({ lanes: options.lanes, random: random.stream("clients"), servers: () => alive });
  try {
    const isDone = () => kills >= options.kills;
    await Promise.all(
      Array.from({ length: options.servers }, (_, index) => executioner(random.stream(`executioner ${index}`), isDone)),
    );
    await clients.stop();
    const last = alive[0] ?? (await world.start());
    await settle(world);
    const troubles = [...clients.troubles];
    await inLanes(16, clients.calls, async (call) => void (await collect(world, last, call, troubles)));
    const verdict = await judge(world.database, world.provider, clients.calls);
    return {
      ...verdict,
      violations: [...broken, ...verdict.violations],
      kills,
      struck,
      keys: clients.calls.length,
      keysAnswered: clients.calls.filter(({ answers }) => answers.size > 0).length,
      troubles,
      seconds: (performance.now() - startedMs) / 1000,
    };
  } finally {
    await clients.stop();
    await world.close();
  }
}

// Waits until only calls that the provider never heard of are open; those wait out the quarantine.
async function settle(world: RouterWorld): Promise<void> {
  await until(
    "every call that reached the provider has ended",
    async () => {
      for (const { callId } of await openInvocations(world.database))
        if ((await world.provider.reference(callId)) !== null) return false;
      return true;
    },
    90,
  ).catch(() => {});
}

// Every key is asked at least once more, whether or not it had answered; a quarantined one has nothing to return yet.
async function collect(
  world: RouterWorld,
  server: RouterServer,
  call: Parameters<typeof ask>[1],
  troubles: string[],
): Promise<void> {
  const [recorded] = await recordedUnderKey(world.database, call.key);
  if (recorded?.state === "open") return;
  await until(`the key ${call.key} answers`, () => ask(server, call, troubles), 30).catch((error: unknown) =>
    troubles.push(String(error)),
  );
}
