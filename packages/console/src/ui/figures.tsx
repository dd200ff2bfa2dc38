// Shows times, progress and small charts. amounts.ts has amounts as words.

import { type ReactNode, useEffect, useState } from "react";
import { ui as words } from "#strings/ui";
import kit from "./kit.module.css";

export { formatBytes, formatCreditRange, formatCredits, formatDuration, formatPercent } from "./amounts.ts";

export function Ago({ at }: { readonly at: string | null | undefined }): ReactNode {
  const now = useNow(10_000);
  if (!at) return <span className={kit.soft}>{words.never}</span>;
  return (
    <time className={kit.moment} dateTime={at} title={new Date(at).toLocaleString()}>
      {formatAgo(new Date(at).getTime(), now)}
    </time>
  );
}

const steps = [
  [60, "s"],
  [60, "min"],
  [24, "h"],
  [30, "d"],
] as const;

export function formatAgo(at: number, now: number): string {
  let value = Math.round((now - at) / 1_000);
  const ahead = value < 0;
  if (Math.abs(value) < 5) return words.justNow;
  value = Math.abs(value);
  for (const [size, unit] of steps) {
    if (value < size) return ahead ? words.ahead(`${value} ${unit}`) : words.ago(`${value} ${unit}`);
    value = Math.round(value / size);
  }
  return new Date(at).toLocaleDateString();
}

// The current time, updated periodically; one timer per component that uses it.
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

export function Progress({ value, label }: { readonly value: number | null; readonly label: string }): ReactNode {
  const percent = value === null ? 0 : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      className={kit.progress}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(value === null ? {} : { "aria-valuenow": percent })}
    >
      <div style={{ transform: `translateX(${percent - 100}%)` }} />
    </div>
  );
}

// A small chart of recent values; the words next to it say what they are.
export function Sparkline({
  values,
  label,
}: {
  readonly values: readonly number[];
  readonly label: string;
}): ReactNode {
  const most = Math.max(...values, 1e-9);
  const points = values.map(
    (value, at) => `${(at / Math.max(1, values.length - 1)) * 100},${28 - (value / most) * 26}`,
  );
  return (
    <svg
      viewBox="0 0 100 30"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      style={{ width: "100%", height: "1.9rem" }}
    >
      {values.length > 1 ? (
        <>
          <polygon points={`0,30 ${points.join(" ")} 100,30`} fill="var(--accent-soft)" />
          <polyline
            points={points.join(" ")}
            fill="none"
            stroke="var(--accent)"
            strokeWidth="1.5"
            vectorEffect="non-scaling-stroke"
          />
        </>
      ) : null}
    </svg>
  );
}
