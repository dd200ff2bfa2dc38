// The operators' routes of versions: translate, nothing else.

import { operations, ReviewNodeVersion } from "@atelier/contract";
import {
  type ChangeVersionDeps,
  type CheckDeps,
  checkWaiting,
  foldedNodeId,
  listVersions,
  operator,
  type ReadVersionDeps,
  readReview,
  requireVersion,
  reviewVersion,
  showById,
  undoBatch,
} from "../../capabilities/registry/index.ts";
import type { AdminCaller } from "../../capabilities/tokens/index.ts";
import { type Incoming, jsonAnswer, type Route } from "../../foundation/http/area.ts";
import { readStatuses, readStrictPage, versionPage } from "./read-versions.route.ts";
import { readRegistryBody } from "./registry-body.ts";
import { RegistryQuery } from "./registry-query.ts";

export interface ReviewRouteDeps extends ChangeVersionDeps, CheckDeps, ReadVersionDeps {
  readonly blobs: ChangeVersionDeps["blobs"] & CheckDeps["blobs"];
}

const fresh = { "cache-control": "no-store" };

export function reviewRoutes(deps: ReviewRouteDeps): readonly Route<AdminCaller>[] {
  return [
    reviewNodeVersionRoute(deps),
    getVersionReviewAsAdminRoute(deps),
    undoReviewBatchRoute(deps),
    listNodeVersionsAsAdminRoute(deps),
    scanPendingVersionsRoute(deps),
  ];
}

export function reviewNodeVersionRoute(deps: ReviewRouteDeps): Route<AdminCaller> {
  return {
    operation: operations.reviewNodeVersion,
    async handle(incoming) {
      const body = await readRegistryBody(ReviewNodeVersion, incoming);
      const id = await reviewVersion(deps, parametersOf(incoming), body, incoming);
      return jsonAnswer(200, await showById(deps, id, operator), fresh);
    },
  };
}

export function getVersionReviewAsAdminRoute(deps: ReviewRouteDeps): Route<AdminCaller> {
  return {
    operation: operations.getVersionReviewAsAdmin,
    async handle(incoming) {
      const version = await requireVersion(deps, parametersOf(incoming), operator);
      return jsonAnswer(200, await readReview(deps, version, { withNames: true }), fresh);
    },
  };
}

export function undoReviewBatchRoute(deps: ReviewRouteDeps): Route<AdminCaller> {
  return {
    operation: operations.undoReviewBatch,
    async handle(incoming) {
      const ids = await undoBatch(deps, incoming.params["batchId"] ?? "", incoming);
      return jsonAnswer(200, await Promise.all(ids.map((id) => showById(deps, id, operator))), fresh);
    },
  };
}

export function listNodeVersionsAsAdminRoute(deps: ReviewRouteDeps): Route<AdminCaller> {
  return {
    operation: operations.listNodeVersionsAsAdmin,
    async handle({ query: given }) {
      const query = new RegistryQuery(given);
      const page = readStrictPage(query);
      const nodeId = query.readText("nodeId");
      const filter = {
        nodeId: nodeId && foldedNodeId(nodeId),
        statuses: readStatuses(query),
        includeDeleted: query.readSwitch("include_deleted"),
      };
      query.requireNoProblem();
      const found = await listVersions(deps.database, filter, operator, page);
      return jsonAnswer(200, versionPage(deps, found, page, true), fresh);
    },
  };
}

export function scanPendingVersionsRoute(deps: ReviewRouteDeps): Route<AdminCaller> {
  return {
    operation: operations.scanPendingVersions,
    async handle({ query: given, signal }) {
      const query = new RegistryQuery(given);
      const minAgeSeconds = query.read("minAge", parseAge, "an age such as 30m") ?? 1800;
      const count = Math.min(query.readInteger("maxNodes") ?? 50, 500);
      if (count < 1) query.problem("maxNodes", "must be at least 1");
      query.requireNoProblem();
      const ids = await checkWaiting(deps, { count, minAgeSeconds }, signal);
      return jsonAnswer(200, await Promise.all(ids.map((id) => showById(deps, id, operator))), fresh);
    },
  };
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

export function parseAge(text: string): number | null {
  const [, number, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  return number === undefined ? null : Number(number) * (secondsOf[unit] ?? 1);
}

function parametersOf({ params }: Pick<Incoming<unknown>, "params">) {
  return { nodeId: params["nodeId"] ?? "", version: params["version"] ?? "" };
}
