// Charts and their time range.
export const uiCharts = {
  leaveRange: "Clear this range",
  range: "Time range",
  ranges: {
    "15m": "Last 15 minutes",
    "1h": "Last hour",
    "6h": "Last 6 hours",
    "24h": "Last 24 hours",
    "7d": "Last 7 days",
    "30d": "Last 30 days",
  },
  shortRanges: { "15m": "15 m", "1h": "1 h", "6h": "6 h", "24h": "24 h", "7d": "7 d", "30d": "30 d" },
  metrics: {
    calls: "Requests",
    failures: "Failures",
    replays: "Replays",
    credits: "Credits",
    p50_ms: "p50 latency",
    p95_ms: "p95 latency",
  },
  showChart: "Show chart",
  showTable: "Show as table",
  series: "Series",
  time: "Time",
  nothing: "Nothing in this range.",
  until: (bucket: string, time: string) => `${bucket}, until ${time}`,
  empty: (label: string) => `${label}: nothing in this range.`,
  // The chart in one sentence, for screen readers.
  summary: (of: {
    readonly label: string;
    readonly from: string;
    readonly to: string;
    readonly lines: readonly string[];
    readonly total: string | null;
    readonly peak: string;
    readonly peakAt: string;
  }) =>
    `${of.label} from ${of.from} to ${of.to}:${of.lines.length < 2 ? "" : ` by ${of.lines.join(", ")};`}${
      of.total === null ? "" : ` ${of.total} in total,`
    } peak ${of.peak} at ${of.peakAt}.`,
} as const;
