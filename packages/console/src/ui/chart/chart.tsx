// The one chart component: amounts as stacked bars, durations as lines. It describes itself in a sentence, turns into a table
// with a click, zooms by dragging (the caller keeps the range in the address), and a click on a point can lead on.

import { ChartColumn, Table2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { ui } from "#strings/ui";
import { uiCharts } from "#strings/ui/charts";
import { Button, IconButton } from "../button.tsx";
import kit from "../kit.module.css";
import { Scrollable } from "../scrollable.tsx";
import { Skeleton } from "../states.tsx";
import styles from "./chart.module.css";
import { bucketWords, type ChartData, type ChartLine, type ChartUnit, formats, sentenceOf } from "./chart-data.ts";
import type { ChartKind } from "./plotted.ts";

const Plot = lazy(() => import("./plot.tsx").then(({ Plot: component }) => ({ default: component })));

export function Chart(props: {
  // What is shown: "Requests".
  readonly label: string;
  readonly data: ChartData;
  readonly kind: ChartKind;
  readonly unit: ChartUnit;
  readonly height?: number;
  readonly onZoom?: (from: number, to: number) => void;
  readonly onPick?: (at: number) => void;
  // Next to the table button: choices of metric and group.
  readonly actions?: ReactNode;
}): ReactNode {
  const { data, kind, unit, height = 220 } = props;
  const format = formats[unit];
  const [isTable, setTable] = useState(false);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => ({ ...data, lines: data.lines.filter(({ key }) => !hidden.has(key)) }), [data, hidden]);
  const toggle = (key: string) => {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    setHidden(next);
  };
  return (
    <div className={styles.chart}>
      <div className={styles.head}>
        {data.lines.length > 1 ? <Legend lines={data.lines} hidden={hidden} onToggle={toggle} /> : <span />}
        <div className={styles.actions}>
          {props.actions}
          <IconButton
            small
            label={isTable ? uiCharts.showChart : uiCharts.showTable}
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? <ChartColumn aria-hidden="true" /> : <Table2 aria-hidden="true" />}
          </IconButton>
        </div>
      </div>
      {isTable ? (
        <ChartTable label={ui.table(props.label)} data={shown} format={format} height={height} onPick={props.onPick} />
      ) : (
        <div
          role="img"
          aria-label={sentenceOf(props.label, shown, format, kind === "bars")}
          style={{ minHeight: height }}
        >
          <Suspense fallback={<Skeleton height={`${height}px`} />}>
            <Plot {...{ kind, unit, height }} data={shown} onZoom={props.onZoom} onPick={props.onPick} />
          </Suspense>
        </div>
      )}
    </div>
  );
}

function Legend(props: {
  readonly lines: readonly ChartLine[];
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (key: string) => void;
}): ReactNode {
  return (
    <ul className={styles.legend} aria-label={uiCharts.series}>
      {props.lines.map(({ key, label, colour }) => (
        <li key={key}>
          <button
            type="button"
            className={styles.legendEntry}
            aria-pressed={!props.hidden.has(key)}
            title={label}
            onClick={() => props.onToggle(key)}
          >
            <i style={{ background: `var(--${colour})` }} aria-hidden="true" />
            <span>{label}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function ChartTable(props: {
  readonly label: string;
  readonly data: ChartData;
  readonly format: (value: number) => string;
  readonly height: number;
  readonly onPick?: ((at: number) => void) | undefined;
}): ReactNode {
  const { data, format, onPick } = props;
  const rows = data.times
    .map((at, index) => ({ at, values: data.lines.map(({ values }) => values[index] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null))
    .reverse();
  return (
    <Scrollable className={styles.table} style={{ height: props.height }} label={props.label}>
      <table className={kit.table}>
        <thead>
          <tr>
            <th scope="col">{uiCharts.time}</th>
            {data.lines.map(({ key, label }) => (
              <th key={key} scope="col" data-align="end">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, values }) => (
            <tr key={at}>
              <th scope="row">
                {onPick ? (
                  <Button small look="quiet" onClick={() => onPick(at)}>
                    {bucketWords(at, data)}
                  </Button>
                ) : (
                  bucketWords(at, data)
                )}
              </th>
              {values.map((value, index) => (
                <td key={data.lines[index]?.key} data-align="end">
                  {value === null ? "–" : format(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 ? <p className={kit.soft}>{uiCharts.nothing}</p> : null}
    </Scrollable>
  );
}
