// Versions of a saved workflow: list, save, restore, read, compare.
import { operations } from "@atelier/contract";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { readExpectedVersion } from "../../../foundation/http/expected-version.ts";
import { pageBody, QueryReader, refuseCursor } from "../../../foundation/http/page-query.ts";
import type { AccountCaller } from "../account-caller.ts";
import { presentVersions } from "./present-saved.ts";
import { readNewVersion, savedBodyBytesMax } from "./read-saved-body.ts";
import { authorOf, etagOf, fresh, requireLocator, type SavedWorkflowDeps } from "./saved-workflows.route.ts";

export function listWorkflowVersionsRoute(deps: SavedWorkflowDeps): Route<AccountCaller> {
  return route(operations.listWorkflowVersions, async (incoming) => {
    const locator = requireLocator(incoming);
    const reader = new QueryReader(incoming.query);
    const [limit, cursor] = [reader.readLimit(), reader.readCursor()];
    reader.requireNoProblem();
    const purpose = `workflow versions ${locator.workspaceId} ${locator.id}`;
    const before = cursor === undefined ? null : readVersion(deps.cursors.read(purpose, cursor)?.[0] ?? "");
    if (cursor !== undefined && before === null) throw refuseCursor();
    const { versions, next } = await deps.savedWorkflows.versions(locator, { before, limit });
    const nextCursor = next === null ? null : deps.cursors.issue(purpose, [String(next)]);
    const data = await presentVersions(deps.identity, locator.workspaceId, versions);
    return jsonAnswer(200, pageBody(data, nextCursor, limit), fresh);
  });
}

export function saveWorkflowVersionRoute(deps: SavedWorkflowDeps): Route<AccountCaller> {
  return {
    operation: operations.saveWorkflowVersion,
    bodyBytesMax: savedBodyBytesMax,
    async handle(incoming) {
      const locator = requireLocator(incoming);
      const expected = readExpectedVersion(incoming.headers);
      const { body, source } = await readNewVersion(deps, incoming);
      const given = { source, note: body.note ?? null, expected };
      const by = authorOf(incoming.caller.principal);
      const { version, revision, isNew } = await deps.savedWorkflows.saveVersion(locator, given, by);
      const [shown] = await presentVersions(deps.identity, locator.workspaceId, [version]);
      return jsonAnswer(isNew ? 201 : 200, shown, { ...fresh, etag: etagOf(revision) });
    },
  };
}

export function getWorkflowDocumentRoute(deps: SavedWorkflowDeps): Route<AccountCaller> {
  return route(operations.getWorkflowDocument, async (incoming) => {
    const locator = requireLocator(incoming);
    const reader = new QueryReader(incoming.query);
    const format = reader.read("format", readFormat, "editor or api") ?? null;
    const given = incoming.params["version"] ?? "";
    const version = given === "latest" ? null : readVersion(given);
    if (given !== "latest" && version === null) reader.problem("version", "must be a number from 1 on, or latest");
    reader.requireNoProblem();
    const found = await deps.savedWorkflows.document(locator, version, format);
    const headers = {
      ...fresh,
      "content-type": "application/json",
      etag: `"${found.sha256.toString("hex")}.${found.format}"`,
    };
    return { status: 200, headers, body: found.document };
  });
}

export function diffWorkflowVersionsRoute(deps: SavedWorkflowDeps): Route<AccountCaller> {
  return route(operations.diffWorkflowVersions, async (incoming) => {
    const locator = requireLocator(incoming);
    const reader = new QueryReader(incoming.query);
    const version = (name: string) => reader.read(name, readVersion, "a version") ?? null;
    const [from, to] = [version("from"), version("to")];
    reader.requireNoProblem();
    return jsonAnswer(200, await deps.savedWorkflows.diff(locator, { from, to }), fresh);
  });
}

export const readVersion = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null);
const readFormat = (text: string) => (text === "editor" || text === "api" ? text : null);
