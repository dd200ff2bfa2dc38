// Badges generated from prices (decisions, section 2: badge and charge come from one price record). They are not stored: a
// process serves the badges of exactly the prices that it charges, so neither can lag behind the other. Pure.
import { canonicalBadge, isPrototypeName } from "../../capabilities/badge-proof/index.ts";
import {
  makeBadge,
  makeChoiceBadge,
  type NodeInputs,
  type PricedNode,
  type PricedUse,
} from "../../capabilities/prices/index.ts";
import { compareVersions, parseBoundary } from "./app-version.ts";
import { overlap, type Platform, platforms, type ServedRow } from "./badge-row.ts";

export interface PricedRows {
  readonly rows: readonly ServedRow[];
  // Nodes that get no badge, or only part of it, and why.
  readonly problems: readonly string[];
}

export function pricedRows(uses: readonly PricedUse[]): PricedRows {
  const rows: ServedRow[] = [];
  const problems: string[] = [];
  const ordered = [...uses].sort((one, other) => (one.subject < other.subject ? -1 : 1));
  for (const group of Map.groupBy(ordered, groupKey).values()) {
    const row = rowOf(group, problems);
    if (row === null) continue;
    const other = rows.find((before) => overlap(before, row));
    if (other) problems.push(`${row.nodeId} already has a badge from another price for the same versions`);
    else rows.push(row);
  }
  return { rows, problems };
}

// Operators' rows come first: if an operator wrote a badge for a node, even one that has ended, the node is the operator's on
// that platform, in every version.
export function withPriced(written: readonly ServedRow[], priced: readonly ServedRow[]): readonly ServedRow[] {
  const taken = new Set(written.flatMap((row) => row.platforms.map((platform) => `${platform} ${row.nodeId}`)));
  const left = priced.flatMap((row) => {
    const free = row.platforms.filter((platform) => !taken.has(`${platform} ${row.nodeId}`));
    return free.length === 0 ? [] : [{ ...row, platforms: free }];
  });
  return [...written, ...left];
}

function groupKey({ node }: PricedUse): string {
  return JSON.stringify([
    node.name,
    platformsOf(node),
    node.from_version ?? null,
    node.until_version ?? null,
    node.when?.widget ?? null,
  ]);
}

function platformsOf(node: PricedNode): readonly Platform[] {
  return platforms.filter((platform) => node.platforms?.includes(platform) ?? true);
}

function rowOf(group: readonly PricedUse[], problems: string[]): ServedRow | null {
  const [first, ...more] = group;
  if (!first) return null;
  const { name, when, from_version = "0.0.0", until_version } = first.node;
  const fromVersion = parseBoundary(from_version);
  const untilVersion = until_version === undefined ? null : parseBoundary(until_version);
  const isRange = fromVersion !== null && (untilVersion === null || compareVersions(fromVersion, untilVersion) < 0);
  if (!isRange || isPrototypeName(name)) {
    problems.push(
      `${name} gets no badge: ${isRange ? "it is not a valid node name" : "its versions are not a valid range"}`,
    );
    return null;
  }
  if (when === undefined && more.length > 0)
    problems.push(`${name} is named by ${more.map(({ subject }) => subject).join(", ")} besides ${first.subject}`);
  const own = () => first.badge ?? makeBadge(first.price, inputsOf(first));
  const badge = when === undefined ? own() : chosen(when.widget, group, problems);
  const range = { nodeId: name, platforms: platformsOf(first.node), fromVersion, untilVersion };
  return badge && { ...range, badgeText: canonicalBadge(badge), ended: false };
}

function chosen(widget: string, group: readonly PricedUse[], problems: string[]) {
  const [first] = group;
  const cases = new Map(group.toReversed().map((use) => [(use.node.when?.is ?? "").trim().toLowerCase(), use]));
  const { badge, left } = makeChoiceBadge({
    widget,
    type: first?.chooserType ?? "COMBO",
    overridden: first?.overridden ?? null,
    cases: [...cases].map(([is, use]) => ({ is, price: use.price, inputs: inputsOf(use) })),
  });
  if (left.length > 0) problems.push(`the badge of ${first?.node.name} has no room for ${left.join(", ")}`);
  return badge;
}

function inputsOf({ node, widgets }: PricedUse): NodeInputs {
  const own = (name: string) => {
    const called = (node.widgets && Object.hasOwn(node.widgets, name) ? node.widgets[name] : undefined) ?? name;
    return widgets === undefined || widgets.has(called) ? called : null;
  };
  return { widget: own, group: own };
}
