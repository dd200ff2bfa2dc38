// How all workspaces together fare over the last hours, for operators.
import {
  figureHoursMax,
  type InstallationFigures,
  type InstallationUsage,
  installationGroupings,
  operations,
  usageGroupsMax,
} from "@atelier/contract";
import type { Usage, UsageSums } from "../../../capabilities/calls/index.ts";
import type { JobSeries, JobSpan } from "../../../capabilities/jobs/index.ts";
import { creditsText } from "../../../capabilities/prices/index.ts";
import type { AdminCaller } from "../../../capabilities/tokens/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { type Route, route } from "../../../foundation/http/area.ts";
import { QueryReader } from "../../../foundation/http/page-query.ts";
import { freshAnswer } from "../fresh-answer.ts";

export interface FigureDeps {
  readonly figures: {
    readonly clock: Pick<Clock, "now">;
    readonly usage: Pick<Usage, "series">;
    jobs(span: JobSpan): Promise<JobSeries>;
    stored(): Promise<{ readonly bytes: number; readonly assets: number }>;
    // Null if it is gone.
    nameOf(workspaceId: string): Promise<string | null>;
  };
}

const restKey = "other";

export function getInstallationUsageRoute({ figures: { clock, usage, nameOf } }: FigureDeps): Route<AdminCaller> {
  return route(operations.getInstallationUsage, async ({ query }) => {
    const reader = new QueryReader(query);
    const span = readSpan(reader, clock.now());
    const isGrouping = (text: string) => installationGroupings.find((name) => name === text) ?? null;
    const by = reader.read("by", isGrouping, `one of ${installationGroupings.join(", ")}`) ?? "none";
    reader.requireNoProblem();
    const { from, to, step } = span;
    const asked = { filter: { from, to }, step, by, withTimes: by === "none", groupsMax: usageGroupsMax };
    const { points, groups, total } = await usage.series({ workspaceId: null, ...asked });
    const labelOf = async (key: string | null) => (by === "workspace" && key !== null ? nameOf(key) : null);
    const answer: InstallationUsage = {
      ...presentSpan(span),
      by,
      data: points.map((point) => ({
        at: point.at.toISOString(),
        ...(by === "none" ? {} : { key: point.key ?? restKey }),
        ...sumsOf(point),
        p50_ms: point.p50Ms,
        p95_ms: point.p95Ms,
      })),
      groups:
        by === "none"
          ? []
          : await Promise.all(
              groups.map(async (group) => ({
                key: group.key ?? restKey,
                label: await labelOf(group.key),
                ...sumsOf(group),
              })),
            ),
      total: { ...sumsOf(total), p50_ms: total.p50Ms, p95_ms: total.p95Ms },
    };
    return freshAnswer(200, answer);
  });
}

export function getInstallationFiguresRoute({ figures: { clock, jobs, stored } }: FigureDeps): Route<AdminCaller> {
  return route(operations.getInstallationFigures, async ({ query }) => {
    const reader = new QueryReader(query);
    const span = readSpan(reader, clock.now());
    reader.requireNoProblem();
    const [{ points, now }, { bytes, assets }] = await Promise.all([jobs(span), stored()]);
    const answer: InstallationFigures = {
      ...presentSpan(span),
      jobs: points.map(({ at, waitP50Ms, waitP95Ms, runP50Ms, runP95Ms, ...counts }) => ({
        at: at.toISOString(),
        ...counts,
        wait_p50_ms: waitP50Ms,
        wait_p95_ms: waitP95Ms,
        run_p50_ms: runP50Ms,
        run_p95_ms: runP95Ms,
      })),
      now: { ...now, assets, stored_bytes: bytes },
    };
    return freshAnswer(200, answer);
  });
}

const hourMs = 3_600_000;
const hoursDefault = 24;

function readSpan(reader: QueryReader, now: Date): JobSpan {
  const isHours = (count: number) => count >= 1 && count <= figureHoursMax;
  const parse = (text: string) => (/^\d{1,3}$/.test(text) && isHours(Number(text)) ? Number(text) : null);
  const hours = reader.read("hours", parse, `a whole number from 1 to ${figureHoursMax}`) ?? hoursDefault;
  const step = hours <= 2 ? "minute" : hours <= 192 ? "hour" : "day";
  return { from: new Date(now.getTime() - hours * hourMs), to: now, step };
}

const presentSpan = ({ from, to, step }: JobSpan) => ({ from: from.toISOString(), to: to.toISOString(), step });

function sumsOf({ calls, failures, replays, credits }: UsageSums) {
  return { calls, failures, replays, credits: creditsText(credits) };
}
