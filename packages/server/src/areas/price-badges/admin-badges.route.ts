// The operators' routes; they only translate.
import { operations, type TriedBadge } from "@atelier/contract";
import type { AuditActor } from "../../capabilities/audit/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Incoming, jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import { pageBody, readPageSize } from "../../foundation/http/page-query.ts";
import { parseId } from "../../foundation/ids.ts";
import type { BadgeAdministration } from "./badge-administration.ts";
import type { Acting } from "./badge-audit.ts";
import { type BadgeRowId, isPlatform } from "./badge-row.ts";
import type { ListBadgeRows } from "./list-badge-rows.ts";
import { presentBadgeRow, presentFinding, presentSample } from "./present-badge-row.ts";

export interface AdminBadgeDeps<Caller> {
  readonly badges: BadgeAdministration;
  actorOf(caller: Caller): AuditActor;
}

export function listBadgeRowsRoute<Caller>(deps: AdminBadgeDeps<Caller>): Route<Caller> {
  return route(operations.listBadgeRows, async ({ query }) => {
    const asked = readListQuery(query);
    const { rows, nextCursor } = await deps.badges.list(asked);
    return jsonAnswer(200, pageBody(rows.map(presentBadgeRow), nextCursor, asked.limit));
  });
}

export function createBadgeRowRoute<Caller>(deps: AdminBadgeDeps<Caller>): Route<Caller> {
  return route(operations.createBadgeRow, async (incoming) => {
    return jsonAnswer(201, presentBadgeRow(await deps.badges.create(await incoming.json(), acting(deps, incoming))));
  });
}

export function replaceBadgeRowRoute<Caller>(deps: AdminBadgeDeps<Caller>): Route<Caller> {
  return route(operations.replaceBadgeRow, async (incoming) => {
    const row = await deps.badges.replace(rowIdOf(incoming), await incoming.json(), acting(deps, incoming));
    return jsonAnswer(200, presentBadgeRow(row));
  });
}

export function endBadgeRowRoute<Caller>(deps: AdminBadgeDeps<Caller>): Route<Caller> {
  return route(operations.endBadgeRow, async (incoming) => {
    const body = (await incoming.bytes()).byteLength === 0 ? undefined : await incoming.json();
    return jsonAnswer(200, presentBadgeRow(await deps.badges.end(rowIdOf(incoming), body, acting(deps, incoming))));
  });
}

export function deleteBadgeRowRoute<Caller>(deps: AdminBadgeDeps<Caller>): Route<Caller> {
  return route(operations.deleteBadgeRow, async (incoming) => {
    await deps.badges.delete(rowIdOf(incoming), acting(deps, incoming));
    return { status: 204 };
  });
}

export function tryBadgeRoute<Caller>(deps: AdminBadgeDeps<Caller>): Route<Caller> {
  return route(operations.tryBadge, async (incoming) => {
    const tried = await deps.badges.try(await incoming.json());
    const body: TriedBadge = {
      accepted: tried.accepted,
      findings: tried.findings.map(presentFinding),
      samples: tried.samples.map(presentSample),
    };
    return jsonAnswer(200, body);
  });
}

function acting<Caller>(deps: AdminBadgeDeps<Caller>, incoming: Incoming<Caller>): Acting {
  return { actor: deps.actorOf(incoming.caller), requestId: incoming.requestId };
}

function readListQuery(query: URLSearchParams): ListBadgeRows {
  const platform = query.get("platform");
  const ended = query.get("ended");
  const nodeId = query.get("node_id");
  if (platform !== null && !isPlatform(platform))
    throw new Fault("invalid_request", "platform must be cloud or local.");
  if (ended !== null && ended !== "true" && ended !== "false") {
    throw new Fault("invalid_request", "ended must be true (only ended rows) or false (only the others).");
  }
  // PostgreSQL cannot store NUL, so no node has one in its id.
  if (nodeId === "" || nodeId?.includes("\0")) throw new Fault("invalid_request", "node_id is not the id of a node.");
  return {
    nodeId,
    platform,
    ended: ended === null ? null : ended === "true",
    limit: readPageSize(query.get("limit")),
    cursor: query.get("cursor"),
  };
}

function rowIdOf(incoming: Pick<Incoming<unknown>, "params">): BadgeRowId | null {
  return parseId(incoming.params["badgeRowId"] ?? "");
}
