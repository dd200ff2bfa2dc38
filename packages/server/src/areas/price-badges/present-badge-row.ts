// A stored badge in its wire format.
import type { Badge, BadgeFinding, BadgeRow as BadgeRowBody, BadgeSample } from "@atelier/contract";
import { readBadge, type Sample } from "../../capabilities/badge-proof/index.ts";
import { invariant } from "../../foundation/assert.ts";
import { versionText } from "./app-version.ts";
import type { BadgeRow } from "./badge-row.ts";
import type { InputFinding } from "./read-row-input.ts";

export function presentBadgeRow(row: BadgeRow): BadgeRowBody {
  return {
    id: row.id,
    node_id: row.nodeId,
    platforms: [...row.platforms],
    from_version: versionText(row.fromVersion),
    until_version: row.untilVersion && versionText(row.untilVersion),
    badge: presentBadge(row.badgeText),
    ended: row.ended,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

export function presentFinding(finding: InputFinding): BadgeFinding {
  return { ...finding };
}

export function presentSample({ context, price, label, miss }: Sample): BadgeSample {
  return {
    probe: {
      widgets: { ...context.widgets },
      inputs: Object.fromEntries(Object.entries(context.inputs).map(([name, { connected }]) => [name, { connected }])),
      inputGroups: { ...context.inputGroups },
    },
    price: price?.type === "list_usd" ? { ...price, usd: [...price.usd] } : price,
    label,
    ...(miss ? { error: { code: miss.code, message: miss.message } } : {}),
  };
}

function presentBadge(badgeText: string): Badge {
  const read = readBadge(JSON.parse(badgeText));
  invariant(read.ok, "a stored badge has the shape of a badge");
  const { widgets, inputs, input_groups } = read.badge.depends_on;
  return {
    ...read.badge,
    depends_on: { widgets: widgets.map((one) => ({ ...one })), inputs: [...inputs], input_groups: [...input_groups] },
  };
}
