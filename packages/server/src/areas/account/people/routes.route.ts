// The routes that a workspace can call. Anyone may read them; owners write the workspace's own, because a route decides which
// provider gets the workspace's inputs and whose account pays.
import { operations, PutRoute } from "@atelier/contract";
import { actingAs, requireScope } from "../../../capabilities/identity/index.ts";
import {
  noSuchRoute,
  presentRoute,
  type Routes,
  readRouteName,
  type StoredRoute,
} from "../../../capabilities/routes/index.ts";
import { type Incoming, jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { readExpectedVersion } from "../../../foundation/http/expected-version.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import type { AccountCaller } from "../account-caller.ts";

export interface RouteDeps {
  readonly routes: Pick<Routes, "list" | "put" | "remove">;
}

export function listRoutesRoute(deps: RouteDeps): Route<AccountCaller> {
  return route(operations.listRoutes, async ({ caller: { principal } }) => {
    requireScope(principal, "models");
    const all = await callable(deps, principal);
    return jsonAnswer(200, { data: all.map(presentRoute) }, fresh);
  });
}

export function getRouteRoute(deps: RouteDeps): Route<AccountCaller> {
  return route(operations.getRoute, async ({ caller: { principal }, params }) => {
    requireScope(principal, "models");
    const name = readRouteName(params["name"]);
    const found = (await callable(deps, principal)).find((each) => each.name === name);
    if (!found) throw noSuchRoute();
    return answerOne(200, found);
  });
}

export function putRouteRoute({ routes }: RouteDeps): Route<AccountCaller> {
  return route(operations.putRoute, async (incoming) => {
    const { owner, name, by } = requireOwned(incoming);
    const expected = readExpectedVersion(incoming.headers);
    const definition = requireValid(PutRoute, await incoming.json());
    const { isNew, route: written } = await routes.put({ owner, name, definition, expected }, by);
    return answerOne(isNew ? 201 : 200, written);
  });
}

export function deleteRouteRoute({ routes }: RouteDeps): Route<AccountCaller> {
  return route(operations.deleteRoute, async (incoming) => {
    const { owner, name, by } = requireOwned(incoming);
    await routes.remove({ owner, name, expected: readExpectedVersion(incoming.headers) }, by);
    return { status: 204 };
  });
}

const fresh = { "cache-control": "no-store" };

// A workspace's route hides the server's route of the same name.
async function callable({ routes }: RouteDeps, { workspaceId }: AccountCaller["principal"]): Promise<StoredRoute[]> {
  const [server, own] = await Promise.all([routes.list(null), routes.list(workspaceId)]);
  const byName = new Map([...server, ...own].map((each) => [each.name, each]));
  return [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function requireOwned({ caller: { principal }, params, requestId }: Incoming<AccountCaller>) {
  requireScope(principal, "account");
  return { owner: principal.workspaceId, name: readRouteName(params["name"]), by: actingAs(principal, requestId) };
}

const answerOne = (status: number, stored: StoredRoute) =>
  jsonAnswer(status, presentRoute(stored), { ...fresh, etag: `"${stored.version}"` });
