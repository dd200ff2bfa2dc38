// Usage of the caller's workspace: rows, sums and files.
import { Readable } from "node:stream";
import { operations, UsageRow as UsageRowSchema } from "@atelier/contract";
import {
  type ExportFormat,
  exportContentTypes,
  exportHead,
  exportLine,
  type Usage,
  type UsageFilter,
  type UsageRow,
} from "../../../capabilities/calls/index.ts";
import { requireScope } from "../../../capabilities/identity/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import type { Cursors } from "../../../foundation/cursor.ts";
import { type BytesAnswer, jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { pageBody } from "../../../foundation/http/page-query.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { AccountCaller } from "../account-caller.ts";
import { presentUsageDays, presentUsageRow } from "./present-usage.ts";
import { issueUsageCursor, readDaysQuery, readExportQuery, readUsageCursor, readUsageQuery } from "./usage-query.ts";

export interface UsageRouteDeps {
  readonly usage: Usage;
  readonly cursors: Cursors;
  readonly clock: Clock;
}

export function listUsageRoute({ usage, cursors }: UsageRouteDeps): Route<AccountCaller> {
  return route(operations.listUsage, async ({ caller, query }) => {
    const workspaceId = workspaceOf(caller);
    const { filter, limit, cursor } = readUsageQuery(query);
    const walk = { workspaceId, filter };
    const before = cursor === undefined ? null : readUsageCursor(cursors, walk, cursor);
    const { rows, next } = await usage.list({ ...walk, before, limit });
    const nextCursor = next && issueUsageCursor(cursors, walk, next);
    return jsonAnswer(200, pageBody(rows.map(presentUsageRow), nextCursor, limit));
  });
}

export function sumUsageRoute({ usage, clock }: UsageRouteDeps): Route<AccountCaller> {
  return route(operations.sumUsage, async ({ caller, query }) => {
    const workspaceId = workspaceOf(caller);
    const days = await usage.sumByDay({ workspaceId, ...readDaysQuery(query, clock.now()) });
    return jsonAnswer(200, presentUsageDays(days));
  });
}

export function exportUsageRoute({ usage }: UsageRouteDeps): Route<AccountCaller> {
  return route(operations.exportUsage, ({ caller, query }) => {
    const workspaceId = workspaceOf(caller);
    return answerExport(usage, workspaceId, readExportQuery(query));
  });
}

function workspaceOf({ principal }: AccountCaller): WorkspaceId {
  requireScope(principal, "account");
  return principal.workspaceId;
}

const columns = Object.keys(UsageRowSchema.properties);

// Reads the first page before answering anything, so that an outage is an error and not an empty file.
async function answerExport(
  usage: Usage,
  workspaceId: WorkspaceId,
  { filter, format }: { filter: UsageFilter; format: ExportFormat },
): Promise<BytesAnswer> {
  const pages = usage.walk(workspaceId, filter);
  const first = await pages.next();
  return {
    status: 200,
    headers: {
      "content-type": exportContentTypes[format],
      "content-disposition": `attachment; filename="usage.${format}"`,
      "cache-control": "no-store",
    },
    body: Readable.from(linesOf(format, first.done ? [] : first.value, pages)),
  };
}

// Keeps only one page in memory: the next is requested when the reader has taken this one.
async function* linesOf(
  format: ExportFormat,
  first: readonly UsageRow[],
  rest: AsyncGenerator<readonly UsageRow[]>,
): AsyncGenerator<string> {
  const writeRows = (rows: readonly UsageRow[]) =>
    rows.map((row) => exportLine(format, columns, presentUsageRow(row))).join("");
  const begun = exportHead(format, columns) + writeRows(first);
  if (begun !== "") yield begun;
  for await (const rows of rest) if (rows.length > 0) yield writeRows(rows);
}
