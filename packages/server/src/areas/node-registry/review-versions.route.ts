// The operators' routes for versions; they only translate.

import { operations } from "@atelier/contract";
import type { Registry } from "../../capabilities/registry/index.ts";
import type { AdminCaller } from "../../capabilities/tokens/index.ts";
import { type Incoming, type Route, route } from "../../foundation/http/area.ts";
import { shown } from "./fresh-answers.ts";
import { readStatuses, readStrictPage } from "./read-versions.route.ts";
import { RegistryQuery } from "./registry-query.ts";

const at = ({ params }: Pick<Incoming<unknown>, "params">) => ({
  nodeId: params["nodeId"] ?? "",
  version: params["version"] ?? "",
});

export function reviewNodeVersionRoute({ review }: Registry): Route<AdminCaller> {
  return route(operations.reviewNodeVersion, (incoming) => shown(review.reviewVersion(at(incoming), incoming)));
}

export function getVersionReviewAsAdminRoute({ review }: Registry): Route<AdminCaller> {
  return route(operations.getVersionReviewAsAdmin, (incoming) => shown(review.readVersionReview(at(incoming))));
}

export function undoReviewBatchRoute({ review }: Registry): Route<AdminCaller> {
  return route(operations.undoReviewBatch, async (incoming) => {
    return shown(review.undoBatch(incoming.params["batchId"] ?? "", incoming));
  });
}

export function listNodeVersionsAsAdminRoute({ review }: Registry): Route<AdminCaller> {
  return route(operations.listNodeVersionsAsAdmin, async ({ query: given }) => {
    const query = new RegistryQuery(given);
    const page = readStrictPage(query);
    const filter = {
      nodeId: query.readText("nodeId"),
      statuses: readStatuses(query),
      includeDeleted: query.readSwitch("include_deleted"),
      appealed: query.readSwitch("appealed"),
    };
    query.requireNoProblem();
    return shown(review.listVersions(filter, page));
  });
}

export function scanPendingVersionsRoute({ review }: Registry): Route<AdminCaller> {
  return route(operations.scanPendingVersions, async ({ query: given, signal }) => {
    const query = new RegistryQuery(given);
    const minAgeSeconds = query.read("minAge", parseAge, "an age such as 30m") ?? 1800;
    const count = Math.min(query.readInteger("maxNodes") ?? 50, 500);
    if (count < 1) query.problem("maxNodes", "must be at least 1");
    query.requireNoProblem();
    return shown(review.checkWaiting({ count, minAgeSeconds }, signal));
  });
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

export function parseAge(text: string): number | null {
  const [, number, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  return number === undefined ? null : Number(number) * (secondsOf[unit] ?? 1);
}
