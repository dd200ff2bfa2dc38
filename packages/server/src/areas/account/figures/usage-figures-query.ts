// Parses the query for usage figures. A span has an end, and a step that would give too many points is refused: the query
// bounds what is read and what is answered.
import { modelStatsHoursMax, usageDaysMax, usageGroupings, usagePointsMax, usageSteps } from "@atelier/contract";
import type { UsageFilter, UsageGrouping, UsageStep } from "../../../capabilities/calls/index.ts";
import { QueryReader } from "../../../foundation/http/page-query.ts";
import { isTagKey } from "../../../foundation/json/labels.ts";
import { readFilter, readSpan, readSwitch, readWord } from "./usage-query.ts";

const stepMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const satisfies Record<UsageStep, number>;
const hourMs = stepMs.hour;
const hoursDefault = 24;
// Enough for a chart as wide as a page.
const pointsWanted = 300;

export interface Span {
  readonly from: Date;
  readonly to: Date;
}

export interface AskedSeries extends Span {
  readonly filter: UsageFilter;
  readonly step: UsageStep;
  readonly by: UsageGrouping;
  readonly tagKey: string | undefined;
  readonly withTimes: boolean;
}

export function readSeriesQuery(query: URLSearchParams, now: Date): AskedSeries {
  const reader = new QueryReader(query);
  const span = readBoundedSpan(reader, now);
  const filter = { ...readFilter(reader), ...span };
  const by = readWord(reader, "by", usageGroupings) ?? "none";
  const tagKey = reader.read("tag_key", (text) => (isTagKey(text) ? text : null), "the key of a tag");
  if ((by === "tag") !== (tagKey !== undefined)) reader.problem("tag_key", "must be given with by=tag, and only then");
  const withTimes = readSwitch(reader, "latency") ?? by === "none";
  const step = readWord(reader, "step", usageSteps) ?? stepFor(span);
  if (pointsOf(span, step) > usagePointsMax) {
    reader.problem("step", `must be longer: at most ${usagePointsMax} points are returned`);
  }
  reader.requireNoProblem();
  return { ...span, filter, step, by, tagKey, withTimes };
}

export function readErrorsQuery(query: URLSearchParams, now: Date): Span & { filter: UsageFilter; limit: number } {
  const reader = new QueryReader(query);
  const span = readBoundedSpan(reader, now);
  const { subject, outcome, apiKeyId, tag, endUser, family } = readFilter(reader);
  const limit = reader.readLimit();
  reader.requireNoProblem();
  return { ...span, filter: { ...span, subject, outcome, apiKeyId, tag, endUser, family }, limit };
}

export function readModelStatsQuery(query: URLSearchParams, now: Date): { hours: number; since: Date } {
  const reader = new QueryReader(query);
  const isHours = (count: number) => count >= 1 && count <= modelStatsHoursMax;
  const hours =
    reader.read(
      "hours",
      (text) => (/^\d{1,3}$/.test(text) && isHours(Number(text)) ? Number(text) : null),
      `a whole number from 1 to ${modelStatsHoursMax}`,
    ) ?? hoursDefault;
  reader.requireNoProblem();
  return { hours, since: new Date(now.getTime() - hours * hourMs) };
}

function readBoundedSpan(reader: QueryReader, now: Date): Span {
  const given = readSpan(reader);
  // A span that starts in the future is not an error: there is just nothing yet.
  const isAhead = given.from !== undefined && given.from >= now;
  const to = given.to ?? (isAhead ? new Date(given.from.getTime() + hourMs) : now);
  const from = given.from ?? new Date(to.getTime() - hoursDefault * hourMs);
  if (from >= to) reader.problem("from", "must be before to");
  else if (to.getTime() - from.getTime() > usageDaysMax * stepMs.day) {
    reader.problem("from", `must be at most ${usageDaysMax} days before to`);
  }
  return { from, to };
}

function stepFor(span: Span): UsageStep {
  return usageSteps.find((step) => pointsOf(span, step) <= pointsWanted) ?? "day";
}

function pointsOf({ from, to }: Span, step: UsageStep): number {
  return Math.ceil((to.getTime() - from.getTime()) / stepMs[step]);
}
