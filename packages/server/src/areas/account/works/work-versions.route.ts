// Versions of a work: list, read, compare. They never change.
import { operations } from "@atelier/contract";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { pageBody, QueryReader, refuseCursor } from "../../../foundation/http/page-query.ts";
import type { AccountCaller } from "../account-caller.ts";
import { fresh } from "../workflows/saved-workflows.route.ts";
import { exactAnswer, presentWorkVersions } from "./present-works.ts";
import { requireLocator, type WorkDeps } from "./works.route.ts";

export function listWorkVersionsRoute(deps: WorkDeps): Route<AccountCaller> {
  return route(operations.listWorkVersions, async (incoming) => {
    const locator = requireLocator(incoming);
    const reader = new QueryReader(incoming.query);
    const [limit, cursor] = [reader.readLimit(), reader.readCursor()];
    reader.requireNoProblem();
    const purpose = `work versions ${locator.workspaceId} ${locator.name}`;
    const before = cursor === undefined ? null : readVersion(deps.cursors.read(purpose, cursor)?.[0] ?? "");
    if (cursor !== undefined && before === null) throw refuseCursor();
    const { work, versions, next } = await deps.works.versions(locator, { before, limit });
    const nextCursor = next === null ? null : deps.cursors.issue(purpose, [String(next)]);
    return exactAnswer(200, pageBody(await presentWorkVersions(deps, work, versions), nextCursor, limit), fresh);
  });
}

export function getWorkVersionRoute(deps: WorkDeps): Route<AccountCaller> {
  return route(operations.getWorkVersion, async (incoming) => {
    const locator = requireLocator(incoming);
    const reader = new QueryReader(incoming.query);
    const given = incoming.params["version"] ?? "";
    const wanted = given === "latest" ? null : readVersion(given);
    if (given !== "latest" && wanted === null) reader.problem("version", "must be a number from 1 on, or latest");
    reader.requireNoProblem();
    const { work, version } = await deps.works.version(locator, wanted);
    const [body] = await presentWorkVersions(deps, work, [version]);
    return exactAnswer(200, body, fresh);
  });
}

export function diffWorkVersionsRoute(deps: WorkDeps): Route<AccountCaller> {
  return route(operations.diffWorkVersions, async (incoming) => {
    const locator = requireLocator(incoming);
    const reader = new QueryReader(incoming.query);
    const version = (name: string) => reader.read(name, readVersion, "a version") ?? null;
    const [from, to] = [version("from"), version("to")];
    reader.requireNoProblem();
    return jsonAnswer(200, await deps.works.diff(locator, { from, to }), fresh);
  });
}

const readVersion = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null);
