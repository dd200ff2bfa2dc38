// Badges that release 0.1.0 wrote into every fresh table. They named prices that nothing charged; badges of prices have
// replaced them (priced-rows.ts). Those that an operator changed, ended or removed belong to the operator and stay so.
import { createHash } from "node:crypto";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/database.ts";
import { newId } from "../../foundation/ids.ts";
import type { BadgeRow } from "./badge-row.ts";
import { advanceRevision, insertBadgeRow, listRowsOfNodes, removeBadgeRow } from "./badge-store.ts";

export interface RetireSeedDeps {
  readonly database: Database;
  readonly clock: Clock;
}

// Returns the number of rows removed. If no seed is left it does nothing, because we can no longer tell what was removed.
export async function retireSeed({ database, clock }: RetireSeedDeps): Promise<number> {
  const nodes = [...new Set(seeded.map(([node]) => node))];
  if (untouched(await listRowsOfNodes(database, nodes)).length === 0) return 0;
  return database.transaction(async (tx) => {
    await advanceRevision(tx);
    const rows = await listRowsOfNodes(tx, nodes);
    const retired = untouched(rows);
    if (retired.length === 0) return 0;
    for (const row of retired) await removeBadgeRow(tx, row.id);
    // A seed that an operator removed stays removed: an ended row marks its node as the operator's.
    const known = new Set(rows.map(({ nodeId }) => nodeId));
    for (const node of nodes) if (!known.has(node)) await insertBadgeRow(tx, removedRow(node, clock.now()));
    return retired.length;
  });
}

// The rows of nodes that have every seed exactly as written, and nothing else.
function untouched(rows: readonly BadgeRow[]): BadgeRow[] {
  return [...Map.groupBy(rows, ({ nodeId }) => nodeId)].flatMap(([node, own]) => {
    const prints = seeded.flatMap(([seed, print]) => (seed === node ? [print] : []));
    const isSeed = (row: BadgeRow) =>
      row.updatedAt.getTime() === row.createdAt.getTime() &&
      row.ended === endedSeeds.has(node) &&
      prints.includes(printOf(row.badgeText));
    return own.length === prints.length && own.every(isSeed) ? own : [];
  });
}

function printOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function removedRow(nodeId: string, now: Date): BadgeRow {
  return {
    id: newId<"badge-row">(now.getTime()),
    nodeId,
    platforms: ["cloud", "local"],
    fromVersion: [0, 0, 0],
    untilVersion: null,
    badgeText: `{"depends_on":{"input_groups":[],"inputs":[],"widgets":[]},"engine":"jsonata","expr":"{\\"type\\": \\"text\\", \\"text\\": \\"removed\\"}"}`,
    ended: true,
    priceRecord: null,
    createdAt: now,
    updatedAt: now,
  };
}

const endedSeeds: ReadonlySet<string> = new Set(["SandboxRetiredImageNode"]);

// The node and the first digits of its badge's SHA-256, for every row of that seed.
const seeded: readonly (readonly [node: string, print: string])[] = [
  ["PartnerARelightNode", "9085cebf513614a6"],
  ["PartnerAStyleTransferNode", "9085cebf513614a6"],
  ["PartnerASkinEnhancerNode", "fad1fa3b62b37bc7"],
  ["PartnerAUpscalerNode", "1e4903b15965e346"],
  ["PartnerBTextToVideoNode", "1e308051bc3683bf"],
  ["PartnerBTextToVideoNode", "ee5880a17255f02e"],
  ["PartnerBImageToVideoNode", "1e308051bc3683bf"],
  ["PartnerBVideoToVideoNode", "4f5999f9f1057836"],
  ["SandboxImageNode", "92a2f205b123d487"],
  ["SandboxImageFastNode", "6ef707d095c9e365"],
  ["SandboxImageFineNode", "894e714cff40109d"],
  ["SandboxImagePreviewNode", "3fa780675be4d093"],
  ["SandboxImageByResolutionNode", "412842d407375a0f"],
  ["SandboxMegapixelImageNode", "f0775755cbe37d77"],
  ["SandboxStudioImageNode", "48571d0cac5f11b0"],
  ["SandboxReferenceImageNode", "ac570cac1e54469d"],
  ["SandboxLegacyUpscaleNode", "087668275cd8c638"],
  ["SandboxRetiredImageNode", "075dcad39d34e660"],
  ["SandboxImageToVideoNode", "fff12d4fee6d33d1"],
  ["SandboxVideoNode", "ba53c2763f1f9fb9"],
  ["SandboxDraftVideoNode", "973af2259731cb42"],
  ["SandboxDraftVideoNode", "696b1cf73d094aae"],
  ["SandboxChatNode", "277b17a183c38b24"],
  ["SandboxSpeechNode", "4d36be8744e266fb"],
  ["SandboxMachineTimeNode", "851e8d94938df90c"],
  ["SandboxSharedQueueNode", "049e85ee8f8f62fd"],
];
