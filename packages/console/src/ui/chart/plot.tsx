// The canvas of a chart: uPlot with the page's own colours, a crosshair, and a drag that zooms. Loaded when the first chart
// is shown.
import "uplot/dist/uPlot.min.css";
import { type ReactNode, useEffect, useRef, useState } from "react";
import UPlot, { type AlignedData, type Options, type Series } from "uplot";
import { watch } from "../theme.ts";
import styles from "./chart.module.css";
import { type ChartData, type ChartLine, momentOf, stepMs } from "./chart-data.ts";
import { colourReader } from "./colours.ts";

export interface PlotProps {
  readonly data: ChartData;
  readonly kind: "bars" | "lines";
  readonly format: (value: number) => string;
  readonly height: number;
  readonly onZoom?: ((from: number, to: number) => void) | undefined;
  readonly onPick?: ((at: number) => void) | undefined;
}

// Where the crosshair is; what is told stands on its other side, so that it covers nothing that is looked at.
interface Pointed {
  readonly index: number;
  readonly isRight: boolean;
  readonly at: number;
}

const besidePx = 14;

export function Plot(props: PlotProps): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const { data, kind, height } = props;
  const canPick = props.onPick !== undefined;
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const colour = colourReader(element);
    const plot = new UPlot(
      optionsOf(latest, colour, { width: element.clientWidth, height }, setPointed),
      alignedOf(data, kind),
      element,
    );
    const unwatch = watch(() => requestAnimationFrame(() => plot.redraw(false)));
    const sized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    sized.observe(element);
    return () => {
      unwatch();
      sized.disconnect();
      plot.destroy();
      element.replaceChildren();
      setPointed(null);
    };
  }, [data, kind, height]);
  return (
    <div className={styles.plot} data-pick={canPick}>
      <div ref={host} style={{ height }} />
      {pointed ? <Told data={data} pointed={pointed} format={props.format} /> : null}
    </div>
  );
}

// What stands under the crosshair.
function Told({
  data,
  pointed,
  format,
}: {
  readonly data: ChartData;
  readonly pointed: Pointed;
  readonly format: (value: number) => string;
}): ReactNode {
  const at = data.times[pointed.index];
  const there = data.lines.flatMap((line) => {
    const value = line.values[pointed.index];
    return value === null || value === undefined ? [] : [{ line, value }];
  });
  if (at === undefined || there.length === 0) return null;
  return (
    <div
      className={styles.told}
      aria-hidden="true"
      style={pointed.isRight ? { right: pointed.at } : { left: pointed.at }}
    >
      <div className={styles.toldAt}>{momentOf(at, data.stepMs)}</div>
      {there.map(({ line, value }) => (
        <div key={line.key} className={styles.toldLine}>
          <i style={{ background: `var(--${line.colour})` }} />
          <span>{line.label}</span>
          <b>{format(value)}</b>
        </div>
      ))}
    </div>
  );
}

// Bars stand on each other: what is drawn is the sum up to each, the highest first, so that the lower ones cover it.
function alignedOf(data: ChartData, kind: PlotProps["kind"]): AlignedData {
  const middle = data.times.map((at) => (at + data.stepMs / 2) / 1_000);
  if (kind === "lines") return [middle, ...data.lines.map(({ values }) => [...values])];
  const sums: (number | null)[][] = [];
  for (const { values } of data.lines) {
    const below = sums.at(-1);
    sums.push(
      values.map((value, index) => (value === null ? (below?.[index] ?? null) : (below?.[index] ?? 0) + value)),
    );
  }
  return [middle, ...sums.reverse()];
}

type Colour = (name: string) => string;
const font = "12px system-ui, sans-serif";

function optionsOf(
  latest: { readonly current: PlotProps },
  colour: Colour,
  size: { readonly width: number; readonly height: number },
  point: (pointed: Pointed | null) => void,
): Options {
  const { data, kind } = latest.current;
  const lines = kind === "bars" ? [...data.lines].reverse() : data.lines;
  const isByDay = data.stepMs >= stepMs.day;
  const bars = UPlot.paths.bars?.({ size: [0.86, 36] });
  const seriesOf = (line: ChartLine): Series =>
    kind === "bars"
      ? {
          fill: () => colour(line.colour),
          width: 0,
          ...(bars === undefined ? {} : { paths: bars }),
          points: { show: false },
        }
      : {
          stroke: () => colour(line.colour),
          width: 2,
          spanGaps: false,
          points: { size: 5, fill: () => colour(line.colour), stroke: () => colour(line.colour) },
        };
  return {
    ...size,
    padding: [10, 8, 0, 0],
    legend: { show: false },
    cursor: {
      x: true,
      y: false,
      points: { show: false },
      drag: { x: latest.current.onZoom !== undefined, y: false, setScale: false },
    },
    ...(isByDay ? { tzDate: (seconds: number) => UPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC") } : {}),
    scales: {
      x: { time: true, range: () => [data.from / 1_000, Math.max(data.to, data.from + data.stepMs) / 1_000] },
      y: { range: (_plot, _least, most) => [0, (most || 1) * 1.08] },
    },
    axes: [
      {
        stroke: () => colour("soft"),
        font,
        grid: { show: false },
        ticks: { stroke: () => colour("line"), width: 1, size: 4 },
        values: (_plot, splits) => timesOf(splits, isByDay),
        size: 30,
        space: 70,
      },
      {
        stroke: () => colour("soft"),
        font,
        grid: { stroke: () => colour("line"), width: 1 },
        ticks: { show: false },
        values: (_plot, splits) => splits.map((value) => latest.current.format(value)),
        size: (_plot, values) => Math.max(34, ...(values ?? []).map((text) => String(text).length * 7 + 14)),
        space: 28,
      },
    ],
    series: [{}, ...lines.map(seriesOf)],
    hooks: hooksOf(latest, point),
  };
}

function hooksOf(
  latest: { readonly current: PlotProps },
  point: (pointed: Pointed | null) => void,
): NonNullable<Options["hooks"]> {
  let isDragged = false;
  return {
    setCursor: [
      (plot) => {
        const { idx, left = -1 } = plot.cursor;
        if (idx === null || idx === undefined || left < 0) return point(null);
        const [at, whole] = [left + plot.over.offsetLeft, plot.width];
        const isRight = at > whole / 2;
        point({ index: idx, isRight, at: (isRight ? whole - at : at) + besidePx });
      },
    ],
    setSelect: [
      (plot) => {
        const { left, width } = plot.select;
        if (width < 4) return;
        isDragged = true;
        const [from, to] = [left, left + width].map((at) => Math.round(plot.posToVal(at, "x") * 1_000));
        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        if (from !== undefined && to !== undefined) latest.current.onZoom?.(from, to);
      },
    ],
    ready: [
      (plot) => {
        plot.over.addEventListener("mousedown", () => {
          isDragged = false;
        });
        plot.over.addEventListener("click", () => {
          const at = latest.current.data.times[plot.cursor.idx ?? -1];
          if (!isDragged && at !== undefined) latest.current.onPick?.(at);
        });
      },
    ],
  };
}

// A day's name where a day begins, the time elsewhere.
function timesOf(splits: readonly number[], isByDay: boolean): string[] {
  const isWithinDay = (splits[1] ?? 0) - (splits[0] ?? 0) < 86_400 && !isByDay;
  return splits.map((seconds) => {
    const at = new Date(seconds * 1_000);
    if (!isWithinDay || (at.getHours() === 0 && at.getMinutes() === 0)) {
      return at.toLocaleDateString(undefined, {
        month: "short",
        day: "numeric",
        ...(isByDay ? { timeZone: "UTC" } : {}),
      });
    }
    return at.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
  });
}
