// The executioner kills and pauses workers, and kills PostgreSQL and the provider, at points and moments drawn from its
// seed. The four lanes run side by side, so that a worker dies while another sleeps and the database is away.
import { setTimeout as sleep } from "node:timers/promises";
import { scale } from "./scale.ts";
import type { Seeded } from "./seeded.ts";
import type { StrikePoint } from "./strike-points.ts";
import type { Workers } from "./workers.ts";

export interface ExecutionPlan {
  readonly kills: number;
  // At least this many, however long they take.
  readonly killsMin?: number;
  readonly pauses: number;
  readonly postgresKills: number;
  readonly providerKills: number;
  readonly killPoints: readonly [StrikePoint, ...StrikePoint[]];
  readonly pausePoints: readonly [StrikePoint, ...StrikePoint[]];
  readonly pauseMs?: readonly [number, number];
  // How long the lanes may take, and the time over which the rarer strikes are spread.
  readonly secondsMax: number;
  readonly spreadSeconds: number;
}

export interface ExecutionCount {
  kills: number;
  pauses: number;
  postgresKills: number;
  providerKills: number;
  // How many strikes hit at each point.
  readonly points: Record<string, number>;
}

export interface Victims {
  readonly workers: Workers;
  // Kills it and waits until it serves again.
  killPostgres(): Promise<void>;
  killProvider(): Promise<void>;
  // How many answers the clients have seen: a strike between two calls shows nothing.
  answersSeen(): number;
}

const answersBetweenKills = 15;
const waitMsMax = 2_500;

// Longer than the quarantine, at the one point where the clock is checked afterwards.
const longPauseMs = [10_500, 12_000] as const;
const shortPauseMs = [scale.pauseMsMin, scale.pauseMsMax] as const;

export async function execute(victims: Victims, plan: ExecutionPlan, random: Seeded): Promise<ExecutionCount> {
  const { workers } = victims;
  const end = performance.now() + plan.secondsMax * 1000;
  const isOver = () => performance.now() > end;
  const count: ExecutionCount = { kills: 0, pauses: 0, postgresKills: 0, providerKills: 0, points: {} };
  const note = (signal: string, where: string) => {
    const name = `${signal} ${where}`;
    count.points[name] = (count.points[name] ?? 0) + 1;
  };

  async function someAnswers(): Promise<void> {
    const [before, startedMs] = [victims.answersSeen(), performance.now()];
    while (victims.answersSeen() < before + answersBetweenKills && performance.now() < startedMs + waitMsMax)
      await sleep(20);
  }

  async function killing(own: Seeded): Promise<void> {
    while (count.kills < plan.kills && !(isOver() && count.kills >= (plan.killsMin ?? 0))) {
      await someAnswers();
      await sleep(own.between(20, 300));
      const position = await workers.take();
      const where = await workers.kill(position, own.chance(0.75) ? own.pick(plan.killPoints) : null);
      workers.free(position);
      if (where === "gone") continue;
      note("kill", where);
      count.kills += 1;
    }
  }

  async function pausing(own: Seeded): Promise<void> {
    while (count.pauses < plan.pauses && !isOver()) {
      await sleep(own.between(20, 300));
      const point = own.chance(0.75) ? own.pick(plan.pausePoints) : null;
      const isLong = own.chance(0.3);
      const share = own.next();
      const pauseMsAt = (where: string) => {
        const [from, to] = plan.pauseMs ?? (where === "begun" && isLong ? longPauseMs : shortPauseMs);
        return from + share * (to - from);
      };
      const position = await workers.take();
      const where = await workers.pause(position, point, pauseMsAt);
      workers.free(position);
      if (where === "gone") continue;
      note("pause", where);
      count.pauses += 1;
    }
  }

  async function rarely(times: number, own: Seeded, strike: () => Promise<void>): Promise<void> {
    const gapMs = (plan.spreadSeconds * 1000) / Math.max(1, times);
    for (let struck = 0; struck < times && !isOver(); struck++) {
      await sleep(gapMs * own.between(0.3, 1.1));
      await strike();
    }
  }

  await Promise.all([
    killing(random.stream("kills")),
    pausing(random.stream("pauses")),
    rarely(plan.postgresKills, random.stream("postgres"), async () => {
      await victims.killPostgres();
      count.postgresKills += 1;
    }),
    rarely(plan.providerKills, random.stream("provider"), async () => {
      await victims.killProvider();
      count.providerKills += 1;
    }),
  ]);
  return count;
}
