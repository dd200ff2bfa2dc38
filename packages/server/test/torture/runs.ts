// The available runs: the whole torture, the smoke test of `npm test`, and one for each planted bug.
import { waitSecondsMax } from "../support/limits.ts";
import { type Plant, plantedRuns } from "./planted-bugs.ts";
import { strikePoints } from "./strike-points.ts";
import type { TortureOptions } from "./torture.ts";

const everywhere = [...strikePoints] as const;
const kinds = ["ask", "repeat", "neither"] as const;
const quiet = () => undefined;

export interface Strikes {
  readonly kills: number;
  readonly pauses: number;
  readonly postgresKills: number;
  readonly minutes: number;
}

export function fullRun(seed: number, strikes: Strikes, say: TortureOptions["say"] = quiet): TortureOptions {
  const { kills, pauses, postgresKills, minutes } = strikes;
  // A kill takes about 1.2 s with the restart, a pause about 7 s; the rarer strikes are spread over that time.
  const spreadSeconds = Math.min(minutes * 60, Math.max(kills * 1.2, pauses * 7));
  return {
    seed,
    plan: {
      kills,
      pauses,
      postgresKills,
      providerKills: Math.ceil(postgresKills / 2),
      killPoints: ["received", ...everywhere],
      pausePoints: ["begun", "begun", "sending", "sent", "answered", "finishing", "finished", "followed"],
      secondsMax: minutes * 60,
      spreadSeconds,
    },
    kinds,
    plant: null,
    workers: 3,
    clients: 48,
    restSecondsMax: 90,
    say,
  };
}

export function smokeRun(seed: number): TortureOptions {
  const whole = fullRun(seed, { kills: 12, pauses: 2, postgresKills: 1, minutes: 0.4 });
  const plan = { ...whole.plan, killsMin: 6, providerKills: 0, spreadSeconds: 4, pauseMs: [3_300, 4_300] } as const;
  return { ...whole, plan, clients: 24, restSecondsMax: waitSecondsMax };
}

export function plantedRun(plant: Plant, seed: number, say: TortureOptions["say"] = quiet): TortureOptions {
  const { temper, pauseMs, ...planted } = plantedRuns[plant];
  return {
    seed,
    plan: {
      postgresKills: 0,
      providerKills: 0,
      secondsMax: 90,
      spreadSeconds: 30,
      ...(pauseMs ? { pauseMs } : {}),
      ...planted,
    },
    kinds: planted.kinds,
    plant,
    ...(temper ? { temper } : {}),
    workers: 3,
    clients: 48,
    restSecondsMax: 45,
    say,
  };
}
