// `atelier badges`: an operator's price badges, kept in files next to the nodes. The server's dry run checks them without
// storing anything; then they are stored. Nothing is pushed unless every row of every file is accepted.
import { isDeepStrictEqual } from "node:util";
import type { CommandResult } from "@atelier/server/commands";
import { exitCodes } from "../exit-codes.ts";
import { type Asked, asOperator, readAnswer, walkPages } from "../server/over-http.ts";
import { confirm } from "../terminal/confirm.ts";
import { counted } from "../terminal/counted.ts";
import { type BadgeFileRow, readBadgeFile } from "./badge-file.ts";

export const badgesCommand = asOperator({ ls: list, check, push });

interface Tried {
  readonly accepted: boolean;
  readonly findings: readonly {
    readonly severity: string;
    readonly code: string;
    readonly message: string;
    readonly position?: number;
  }[];
  readonly samples: readonly { readonly label: string | null }[];
}

interface StoredRow {
  readonly id: string;
  readonly node_id: string;
  readonly platforms: readonly string[];
  readonly from_version: string;
  readonly until_version: string | null;
  readonly ended: boolean;
  readonly badge: unknown;
  readonly updated_at: string;
}

interface Verdict {
  readonly row: BadgeFileRow;
  readonly tried: Tried;
}

async function tryBadges({ call, atelier }: Asked): Promise<Verdict[]> {
  const rows = call.words.flatMap(readBadgeFile);
  const verdicts: Verdict[] = [];
  for (const row of rows) {
    const { node_id, badge, platforms, from_version, until_version } = row.value;
    const json = { node_id, badge, platforms, from_version, until_version };
    const tried = await readAnswer<Tried>(atelier.request("/admin/badges/dry-run", { method: "POST", json }));
    verdicts.push({ row, tried });
  }
  return verdicts;
}

function verdictResult(verdicts: readonly Verdict[]): CommandResult {
  const refused = verdicts.filter(({ tried }) => !tried.accepted).length;
  const problem = `${refused} of ${counted(verdicts.length, "badge")} would be rejected.`;
  const lines = verdicts.flatMap(({ row, tried }) => [
    `${tried.accepted ? "✓" : "✕"} ${row.location}   ${row.value.node_id}   ${tried.samples[0]?.label ?? ""}`.trimEnd(),
    ...tried.findings.map(
      ({ severity, code, message, position }) =>
        `  ${severity}  ${code}  ${message}${position === undefined ? "" : ` (character ${position})`}`,
    ),
  ]);
  const data = verdicts.map(({ row, tried }) => ({ place: row.location, node_id: row.value.node_id, ...tried }));
  return {
    data,
    text: [...lines, refused === 0 ? `${counted(verdicts.length, "badge")}, no problems.` : problem].join("\n"),
    ...(refused === 0 ? {} : { exitCode: exitCodes.check_failed, problem }),
  };
}

async function check(asked: Asked): Promise<CommandResult> {
  return verdictResult(await tryBadges(asked));
}

async function push(asked: Asked): Promise<CommandResult> {
  const { call, atelier, input } = asked;
  const verdicts = await tryBadges(asked);
  if (verdicts.some(({ tried }) => !tried.accepted)) return verdictResult(verdicts);
  const stored = await storedRows(asked, undefined);
  const plans = verdicts.map(({ row }) => planChange(row, stored));
  const changes = plans.filter(({ kind }) => kind === "replaced").length;
  if (changes > 0) await confirm(`Replace ${counted(changes, "stored badge")}?`, call, input);
  for (const { kind, row, known } of plans) {
    const json = row.value;
    if (kind === "stored") await atelier.request("/admin/badges", { method: "POST", json });
    if (kind === "replaced") await atelier.request(`/admin/badges/${known?.id}`, { method: "PUT", json });
  }
  const data = plans.map(({ kind, row }) => ({ place: row.location, node_id: row.value.node_id, outcome: kind }));
  const rows = data.map(({ place, node_id, outcome }) => [place, node_id, outcome]);
  return { data, text: { columns: ["file", "node", "outcome"], rows } };
}

// A stored row matches if node, version and platforms are the same. Ended rows are history and do not count.
function planChange(row: BadgeFileRow, stored: readonly StoredRow[]) {
  const { node_id, platforms, from_version, until_version, badge } = row.value;
  const isSame = (other: StoredRow) =>
    !other.ended &&
    other.node_id === node_id &&
    other.from_version === from_version &&
    isDeepStrictEqual([...other.platforms].sort(), [...platforms].sort());
  const known = stored.find(isSame);
  if (known === undefined) return { kind: "stored" as const, row, known };
  const isUnchanged = isDeepStrictEqual(known.badge, badge) && known.until_version === (until_version ?? null);
  return { kind: isUnchanged ? ("unchanged" as const) : ("replaced" as const), row, known };
}

const storedRows = ({ atelier }: Asked, node: string | undefined): Promise<StoredRow[]> =>
  Array.fromAsync(walkPages<StoredRow>(atelier, "/admin/badges", { limit: 100, node_id: node }));

async function list(asked: Asked): Promise<CommandResult> {
  const data = await storedRows(asked, asked.call.text("node"));
  const rows = data.map((row) => [
    row.id,
    row.node_id,
    row.platforms.join(","),
    `${row.from_version}..${row.until_version ?? ""}`,
    row.ended ? "ended" : "shown",
    new Date(row.updated_at),
  ]);
  return { data, text: { columns: ["id", "node", "platforms", "versions", "state", "changed"], rows } };
}
