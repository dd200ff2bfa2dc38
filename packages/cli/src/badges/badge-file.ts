// Reads a file of badge rows: one row, or a list of them. We check only what we need to ask the server; the server judges the
// badge itself.

import { readJsonFile } from "../jobs/read-graph.ts";
import { isRecord } from "../json-record.ts";
import { ClientProblem } from "../server/client-problem.ts";

export interface BadgeFileRow {
  // The file, and the row's number if there are several.
  readonly location: string;
  readonly value: {
    readonly node_id: string;
    readonly platforms: readonly string[];
    readonly from_version: string;
    readonly until_version?: string | null;
    readonly badge: unknown;
  };
}

export function readBadgeFile(file: string): BadgeFileRow[] {
  const content = readJsonFile(file);
  const rows = Array.isArray(content) ? content : [content];
  if (rows.length === 0) throw wrongRow(file, "is empty");
  return rows.map((row, index) => readRow(row, rows.length === 1 ? file : `${file}[${index}]`));
}

function readRow(row: unknown, location: string): BadgeFileRow {
  if (!isRecord(row)) throw wrongRow(location, "is not an object");
  const { node_id, platforms, from_version, until_version, badge } = row;
  if (typeof node_id !== "string") throw wrongRow(location, "has no node_id");
  if (!Array.isArray(platforms) || !platforms.every((each) => typeof each === "string"))
    throw wrongRow(location, "has no list of platforms");
  if (typeof from_version !== "string") throw wrongRow(location, "has no from_version");
  if (until_version !== undefined && until_version !== null && typeof until_version !== "string")
    throw wrongRow(location, "has an until_version that is not a string");
  if (badge === undefined) throw wrongRow(location, "has no badge");
  const end = until_version === undefined ? {} : { until_version };
  return { location, value: { node_id, platforms, from_version, ...end, badge } };
}

const wrongRow = (location: string, problem: string): ClientProblem =>
  new ClientProblem("rejected_input", "invalid_input", `${location} ${problem}.`, {
    hint: 'a row is {"node_id", "platforms": ["local"], "from_version": "1.0.0", "badge": {…}}; docs/BADGES.md has a full example',
  });
