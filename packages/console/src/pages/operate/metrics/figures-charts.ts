// What the charts of jobs draw: amounts by result, and times.
import { metrics as words } from "#strings/operators/metrics";
import type { InstallationFigures } from "../../../api/admin.ts";
import { type ChartColour, type ChartData, slotsOf, stepMs } from "../../../ui/chart/chart-data.ts";

type Point = InstallationFigures["jobs"][number];

interface Line {
  readonly key: string;
  readonly label: string;
  readonly colour: ChartColour;
  readonly read: (point: Point) => number | null;
}

function charted(figures: InstallationFigures, lines: readonly Line[]): ChartData {
  const step = stepMs[figures.step];
  const [from, to] = [Date.parse(figures.from), Date.parse(figures.to)];
  const times = slotsOf(from, to, step);
  const points = new Map(figures.jobs.map((point) => [Date.parse(point.at), point]));
  return {
    times,
    stepMs: step,
    from,
    to,
    lines: lines.map(({ key, label, colour, read }) => ({
      key,
      label,
      colour,
      values: times.map((at) => {
        const point = points.get(at);
        return point === undefined ? null : read(point);
      }),
    })),
  };
}

const { results } = words;

export const jobChart = (figures: InstallationFigures): ChartData =>
  charted(figures, [
    { key: "succeeded", label: results.succeeded, colour: "ok", read: ({ succeeded }) => succeeded },
    { key: "failed", label: results.failed, colour: "bad", read: ({ failed }) => failed },
    { key: "canceled", label: results.canceled, colour: "series-other", read: ({ canceled }) => canceled },
    {
      key: "open",
      label: results.open,
      colour: "info",
      read: ({ submitted, succeeded, failed, canceled }) => submitted - succeeded - failed - canceled,
    },
  ]);

const times = (figures: InstallationFigures, half: (point: Point) => number | null, most: Line["read"]): ChartData =>
  charted(figures, [
    { key: "p50", label: words.p50, colour: "series-1", read: half },
    { key: "p95", label: words.p95Short, colour: "series-2", read: most },
  ]);

export const waitChart = (figures: InstallationFigures): ChartData =>
  times(
    figures,
    ({ wait_p50_ms }) => wait_p50_ms,
    ({ wait_p95_ms }) => wait_p95_ms,
  );

export const runChart = (figures: InstallationFigures): ChartData =>
  times(
    figures,
    ({ run_p50_ms }) => run_p50_ms,
    ({ run_p95_ms }) => run_p95_ms,
  );
