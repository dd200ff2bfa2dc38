// How moments, spans, sizes and credits are told.
import { type ReactNode, useEffect, useState } from "react";
import kit from "./kit.module.css";

export function Ago({ at }: { readonly at: string | null | undefined }): ReactNode {
  const now = useNow(10_000);
  if (!at) return <span className={kit.soft}>never</span>;
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {agoOf(new Date(at).getTime(), now)}
    </time>
  );
}

const steps = [
  [60, "s"],
  [60, "min"],
  [24, "h"],
  [30, "d"],
] as const;

export function agoOf(at: number, now: number): string {
  let value = Math.round((now - at) / 1_000);
  const ahead = value < 0;
  if (Math.abs(value) < 5) return "just now";
  value = Math.abs(value);
  for (const [size, unit] of steps) {
    if (value < size) return ahead ? `in ${value} ${unit}` : `${value} ${unit} ago`;
    value = Math.round(value / size);
  }
  return new Date(at).toLocaleDateString();
}

// The moment, again and again; one timer per component that asks.
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

export function spanOf(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return "–";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

const units = ["B", "KB", "MB", "GB", "TB"];

export function bytesOf(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return "–";
  let value = bytes;
  let at = 0;
  while (value >= 1_000 && at < units.length - 1) {
    value /= 1_000;
    at++;
  }
  return `${at === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[at]}`;
}

// Credits come as decimal texts or numbers; shown short, never rounded to nothing.
export function creditsOf(credits: string | number | null | undefined): string {
  if (credits === null || credits === undefined) return "–";
  const value = Number(credits);
  if (!Number.isFinite(value)) return String(credits);
  if (value !== 0 && Math.abs(value) < 0.01) return value.toPrecision(2);
  return value.toLocaleString(undefined, { maximumFractionDigits: Math.abs(value) < 100 ? 2 : 0 });
}

export function percentOf(part: number | null | undefined): string {
  if (part === null || part === undefined) return "–";
  const value = part * 100;
  return `${value === 100 || value === 0 ? value : value.toFixed(value > 99 || value < 1 ? 2 : 1)} %`;
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
      <div style={{ width: `${percent}%` }} />
    </div>
  );
}

// A small line of the last values; the words beside it say what they are.
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
