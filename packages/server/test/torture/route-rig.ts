// What both gateways of the comparison have in common: the calls with their faults, the caller who retries under a key, and the
// executioner.
import { randomUUID } from "node:crypto";
import { systemClock } from "../../src/foundation/clock.ts";
import { type FaultyProvider, faultyProvider, type ProviderFault } from "../support/faulty-provider.ts";
import { type Seeded, seeded } from "./seeded.ts";

export interface RouteTorture {
  readonly seed: number;
  readonly calls: number;
  readonly kills: number;
  readonly servers: number;
  readonly lanes: number;
  say(line: string): void;
}

export interface RouteCall {
  readonly key: string;
  readonly prompt: string;
  readonly faults: Readonly<Record<string, ProviderFault>>;
  status: number;
}

export interface Victim {
  kill(): Promise<void>;
}

// Three calls in a hundred, shared among them. Each fails alone at 97 %.
const faults = [
  ...(["forbidden", "busy", "full", "hang", "hang_ran"] as const),
  ...(["reset", "reset_ran", "error", "error_ran"] as const),
] as const;
const faultShare = 0.03;
// How long a caller retries under its key.
const patienceMs = 120_000;
// A refusal by both is an answer, too: the caller gives up.
const turnsMax = 20;

export const twoProviders = async (): Promise<[FaultyProvider, FaultyProvider]> => [
  await faultyProvider({ name: "one", usd: "0.02", finalAfterSeconds: 1, longestRunSeconds: 2 }),
  await faultyProvider({ name: "two", usd: "0.05", finalAfterSeconds: 1, longestRunSeconds: 2 }),
];

// Equal seeds make equal calls, whichever gateway gets them.
export function callsOf(options: RouteTorture): RouteCall[] {
  const random = seeded(options.seed).stream("calls");
  const fault = (): ProviderFault => (random.chance(faultShare) ? random.pick(faults) : "ok");
  return Array.from({ length: options.calls }, (_, index) => ({
    key: randomUUID(),
    prompt: `call ${index}`,
    faults: { one: fault(), two: fault() },
    status: 0,
  }));
}

// As a client that retries: connection errors, and what says that the outcome is not known yet. `ask` gives the status, 0 for a
// lost connection.
export async function keepAsking<Server>(
  call: RouteCall,
  alive: readonly Server[],
  ask: (server: Server) => Promise<number>,
  givesUpAt: (status: number) => boolean,
): Promise<void> {
  const untilMs = performance.now() + patienceMs;
  for (let turn = 0; performance.now() < untilMs; turn++) {
    const server = alive[turn % Math.max(1, alive.length)];
    call.status = server === undefined ? 0 : await ask(server);
    if (call.status === 200 || (turn > turnsMax && givesUpAt(call.status))) return;
    await systemClock.sleep(Math.min(2_000, 100 * (turn + 1)));
  }
}

export async function strike<Server extends Victim>(
  options: RouteTorture,
  alive: Server[],
  start: () => Promise<Server>,
  isOver: () => boolean,
): Promise<number> {
  const own: Seeded = seeded(options.seed).stream("executioner");
  let kills = 0;
  while (alive.length < options.servers) alive.push(await start());
  while (kills < options.kills && !isOver()) {
    await systemClock.sleep(own.between(1_000, 4_000));
    const victim = alive[Math.floor(own.between(0, alive.length))];
    if (!victim || isOver()) continue;
    alive.splice(alive.indexOf(victim), 1);
    await victim.kill();
    kills += 1;
    alive.push(await start());
    if (kills % 5 === 0) options.say(`${kills} kills`);
  }
  return kills;
}

export const runsOf = (providers: readonly FaultyProvider[], { prompt }: RouteCall): number =>
  providers.reduce((sum, { runs }) => sum + (runs.get(prompt) ?? 0), 0);

export const allRuns = ({ runs }: FaultyProvider): number => [...runs.values()].reduce((sum, each) => sum + each, 0);
