// The server's own routes. Every workspace can call them, as far as it may run their targets. The version is the ETag.
import { operations, PutRoute } from "@atelier/contract";
import {
  noSuchRoute,
  presentRoute,
  type Routes,
  readRouteName,
  type StoredRoute,
} from "../../capabilities/routes/index.ts";
import { type AdminCaller, actingAsAdmin } from "../../capabilities/tokens/index.ts";
import { type BytesAnswer, type Incoming, type Route, route } from "../../foundation/http/area.ts";
import { readExpectedVersion } from "../../foundation/http/expected-version.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { freshAnswer } from "./fresh-answer.ts";

export interface ServerRouteDeps {
  readonly routes: Pick<Routes, "list" | "put" | "remove">;
}

export function listServerRoutesRoute({ routes }: ServerRouteDeps): Route<AdminCaller> {
  return route(operations.listServerRoutes, async () =>
    freshAnswer(200, { data: (await routes.list(null)).map(presentRoute) }),
  );
}

export function getServerRouteRoute({ routes }: ServerRouteDeps): Route<AdminCaller> {
  return route(operations.getServerRoute, async ({ params }) => {
    const name = readRouteName(params["name"]);
    const found = (await routes.list(null)).find((each) => each.name === name);
    if (!found) throw noSuchRoute();
    return answerOne(200, found);
  });
}

export function putServerRouteRoute({ routes }: ServerRouteDeps): Route<AdminCaller> {
  return route(operations.putServerRoute, async (incoming) => {
    const named = read(incoming);
    const definition = requireValid(PutRoute, await incoming.json());
    const { isNew, route: written } = await routes.put({ ...named, definition }, by(incoming));
    return answerOne(isNew ? 201 : 200, written);
  });
}

export function deleteServerRouteRoute({ routes }: ServerRouteDeps): Route<AdminCaller> {
  return route(operations.deleteServerRoute, async (incoming) => {
    await routes.remove(read(incoming), by(incoming));
    return { status: 204 };
  });
}

const by = ({ caller, requestId }: Incoming<AdminCaller>) => actingAsAdmin(caller, requestId);

const read = ({ params, headers }: Incoming<AdminCaller>) => ({
  owner: null,
  name: readRouteName(params["name"]),
  expected: readExpectedVersion(headers),
});

function answerOne(status: number, stored: StoredRoute): BytesAnswer {
  const answer = freshAnswer(status, presentRoute(stored));
  return { ...answer, headers: { ...answer.headers, etag: `"${stored.version}"` } };
}
