import { type Example, time, uuid } from "./example.ts";

const badge = {
  engine: "jsonata",
  depends_on: {
    widgets: [{ name: "model.width", type: "INT" }],
    inputs: ["images"],
    input_groups: ["model.images"],
  },
  expr: '{"type": "usd", "usd": 0.06}',
};
const row = { node_id: "RelightImage", platforms: ["cloud", "local"], from_version: "1.2.3", badge };
const storedRow = { id: uuid, ...row, until_version: null, ended: false, created_at: time, updated_at: time };
const usd = { type: "usd", usd: 0.11, format: { suffix: "/Image", approximate: true } };
const finding = { severity: "error", code: "S0202", message: "Expected a comma", position: 14, token: "}" };
const probe = { widgets: { mode: "creative" }, inputs: { images: { connected: true } }, inputGroups: { refs: 2 } };
const sample = { probe, price: usd, label: "~23.2 credits/Image" };

export const priceBadgeExamples: Record<string, Example> = {
  BadgePlatform: { good: "cloud", broken: { "": "Cloud" } },
  BadgeWidget: { good: { name: "mode", type: "COMBO" }, broken: { type: undefined, name: "" } },
  BadgeDependencies: { good: badge.depends_on, broken: { inputs: undefined, input_groups: [1], widgets: ["mode"] } },
  Badge: { good: badge, broken: { engine: "javascript", depends_on: undefined, expr: "" } },
  BadgeMap: { good: { RelightImage: badge }, broken: { RelightImage: null } },
  PriceFormat: { good: { suffix: "/Run", note: "est.", separator: "/" }, broken: { approximate: "yes" } },
  FixedPrice: { good: usd, broken: { usd: -1, type: "eur" } },
  RangePrice: { good: { type: "range_usd", min_usd: 0.1, max_usd: 0.4 }, broken: { max_usd: undefined } },
  ListPrice: { good: { type: "list_usd", usd: [0.1, 0.2] }, broken: { usd: [] } },
  TextPrice: { good: { type: "text", text: "Token-based" }, broken: { text: "" } },
  BadgePrice: { good: usd, broken: { usd: undefined, type: "free" } },
  BadgeVersion: { good: "10.0.3", broken: { "": "v1.2.3" } },
  BadgeInput: { good: row.badge, broken: { engine: "eval", depends_on: null, expr: "" } },
  BadgeRowInput: { good: row, broken: { platforms: [], from_version: "1.2", until_version: "next", badge: null } },
  BadgeRow: { good: storedRow, broken: { id: "7", until_version: undefined, ended: undefined, updated_at: "today" } },
  BadgeRowPage: {
    good: { data: [storedRow], has_more: true, next_cursor: "a.b_c~d", limit: 20 },
    broken: { has_more: undefined, next_cursor: "", limit: 101, data: null },
  },
  EndBadgeRow: { good: { until_version: "1.5.0" }, broken: { until_version: "soon" } },
  BadgeFinding: { good: finding, broken: { severity: "fatal", code: "", position: -1 } },
  BadgeProbe: { good: probe, broken: { "inputs.images": true, "inputGroups.refs": 1.5 } },
  BadgeSample: { good: sample, broken: { price: { type: "usd" }, label: undefined } },
  TryBadge: { good: { badge: { engine: 7 }, probes: [probe] }, broken: { badge: undefined, probes: [1] } },
  TriedBadge: { good: { accepted: false, findings: [finding], samples: [sample] }, broken: { accepted: "no" } },
};
