// The canvas of a chart: uPlot with the page's colours, a crosshair, and drag to zoom. Loaded when the first chart is shown.
import "uplot/dist/uPlot.min.css";
import { type ReactNode, useEffect, useRef, useState } from "react";
import UPlot, { type AlignedData, type Options, type Series } from "uplot";
import { watch } from "../theme.ts";
import styles from "./chart.module.css";
import { bucketWords, type ChartData, type ChartLine, type ChartUnit, formats, stepMs } from "./chart-data.ts";
import { colourReader } from "./colours.ts";
import { type ChartKind, type Plotted, plotted, spanSteps, wholeSteps } from "./plotted.ts";

export interface PlotProps {
  readonly data: ChartData;
  readonly kind: ChartKind;
  readonly unit: ChartUnit;
  readonly height: number;
  readonly onZoom?: ((from: number, to: number) => void) | undefined;
  readonly onPick?: ((at: number) => void) | undefined;
}

// The crosshair's position. The tooltip goes to its other side, so that it covers nothing the person looks at.
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
    const drawn = plotted(data, kind);
    const plot = new UPlot(
      optionsOf(latest, drawn, colour, { width: element.clientWidth, height }, setPointed),
      [drawn.middles, ...drawn.columns] as AlignedData,
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
      {pointed ? <Tooltip data={data} pointed={pointed} format={formats[props.unit]} /> : null}
    </div>
  );
}

// The values at the crosshair.
function Tooltip({
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
      className={styles.tooltip}
      aria-hidden="true"
      style={pointed.isRight ? { right: pointed.at } : { left: pointed.at }}
    >
      <div className={styles.tooltipTime}>{bucketWords(at, data)}</div>
      {there.map(({ line, value }) => (
        <div key={line.key} className={styles.tooltipLine}>
          <i style={{ background: `var(--${line.colour})` }} />
          <span>{line.label}</span>
          <b>{format(value)}</b>
        </div>
      ))}
    </div>
  );
}

type Colour = (name: string) => string;
// As the pages are set.
const font = `12px ${getComputedStyle(document.documentElement).getPropertyValue("--sans") || "sans-serif"}`;

function optionsOf(
  latest: { readonly current: PlotProps },
  drawn: Plotted,
  colour: Colour,
  size: { readonly width: number; readonly height: number },
  point: (pointed: Pointed | null) => void,
): Options {
  const { data, kind, unit } = latest.current;
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
    // Half of the last time beside the axis.
    padding: [10, 28, 0, 0],
    legend: { show: false },
    cursor: {
      x: true,
      y: false,
      points: { show: false },
      drag: { x: latest.current.onZoom !== undefined, y: false, setScale: false },
    },
    ...(isByDay ? { tzDate: (seconds: number) => UPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC") } : {}),
    scales: {
      x: { time: true, range: () => [drawn.from, drawn.end] },
      y: { range: () => [0, drawn.top] },
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
        values: (_plot, splits) => splits.map((value) => formats[unit](value)),
        ...(unit === "count" ? { incrs: [...wholeSteps] } : unit === "span" ? { incrs: [...spanSteps] } : {}),
        size: (_plot, values) => Math.max(34, ...(values ?? []).map((text) => String(text).length * 7 + 14)),
        space: 28,
      },
    ],
    series: [{}, ...lines.map(seriesOf)],
    hooks: { ...hooksOf(latest, point), draw: [(plot) => hatch(plot, drawn.uncounted, kind, colour)] },
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

// Diagonal lines over what was not counted: light on a bar, grey on the empty background, behind a line.
function hatch(plot: UPlot, spans: Plotted["uncounted"], kind: ChartKind, colour: Colour): void {
  const { ctx: canvas, bbox } = plot;
  const gap = 7 * devicePixelRatio;
  for (const span of spans) {
    const [left = 0, right = 0] = span.map((at) => plot.valToPos(at, "x", true));
    if (right - left < 3 * devicePixelRatio) continue;
    canvas.save();
    canvas.beginPath();
    canvas.rect(left, bbox.top, right - left, bbox.height);
    canvas.clip();
    canvas.beginPath();
    for (let at = left - bbox.height; at < right; at += gap) {
      canvas.moveTo(at, bbox.top + bbox.height);
      canvas.lineTo(at + bbox.height, bbox.top);
    }
    canvas.lineWidth = 1.5 * devicePixelRatio;
    if (kind === "bars") {
      canvas.globalCompositeOperation = "source-atop";
      canvas.globalAlpha = 0.55;
      canvas.strokeStyle = colour("paper");
      canvas.stroke();
    }
    canvas.globalCompositeOperation = "destination-over";
    canvas.globalAlpha = 1;
    canvas.strokeStyle = colour("line");
    canvas.stroke();
    canvas.restore();
  }
}

// The date where a day begins, the time elsewhere.
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
    return at.toLocaleTimeString(undefined, { hour: "numeric", minute: "2-digit" });
  });
}
