// Routes of a workspace and of the whole server. Part of the account, and of administration.
import { Type } from "typebox";
import { ModelRoute, ModelRouteList, PutRoute } from "../../account/routes.ts";
import { headerName } from "../../headers.ts";
import { ModelSegment } from "../../models.ts";
import { operationTable } from "../../operation.ts";
import { answer, emptyAnswer, genericFaults, jsonBody, ofAccount, ofAdministration } from "../answers.ts";

const params = Type.Object({ name: ModelSegment });
const etag = [headerName.etag];
const matching = { [headerName.ifMatch]: Type.Optional(Type.String({ pattern: '^(\\*|"[^",]*"( *, *"[^",]*")*)$' })) };
const expecting = Type.Object({
  ...matching,
  [headerName.ifNoneMatch]: Type.Optional(Type.String({ pattern: "^\\*$" })),
});
const written = {
  200: answer(ModelRoute, "Replaced.", etag),
  201: answer(ModelRoute, "Added.", etag),
  ...genericFaults(412, 422),
};
const checked =
  "Every target must be a model that can be called here, make the same kind of output, and get every input that it requires; the details of a 422 say where one does not. With If-Match, only that version is replaced; with If-None-Match: *, a route can only be added.";

export const accountRouteOperations = operationTable(ofAccount, {
  listRoutes: {
    method: "GET",
    path: "/account/routes",
    summary: "List the routes that the workspace can call",
    answers: { 200: answer(ModelRouteList, "The workspace's own, and the server's.") },
  },
  getRoute: {
    method: "GET",
    path: "/account/routes/{name}",
    summary: "Read a route",
    params,
    answers: { 200: answer(ModelRoute, "The route.", etag) },
  },
  putRoute: {
    method: "PUT",
    path: "/account/routes/{name}",
    role: "owner",
    summary: "Write a route",
    description: `The workspace can then call it as the model route/{name}. ${checked}`,
    params,
    headers: expecting,
    body: jsonBody(PutRoute),
    answers: written,
  },
  deleteRoute: {
    method: "DELETE",
    path: "/account/routes/{name}",
    role: "owner",
    summary: "Remove a route",
    description: "Calls in flight finish. A route of the server with the same name applies again.",
    params,
    headers: Type.Object(matching),
    answers: { 204: emptyAnswer("Removed."), ...genericFaults(400, 412) },
  },
});

export const routeAdministrationOperations = operationTable(ofAdministration, {
  listServerRoutes: {
    method: "GET",
    path: "/admin/routes",
    summary: "List the server's routes",
    answers: { 200: answer(ModelRouteList, "The routes that every workspace can call.") },
  },
  getServerRoute: {
    method: "GET",
    path: "/admin/routes/{name}",
    summary: "Read a route of the server",
    params,
    answers: { 200: answer(ModelRoute, "The route.", etag) },
  },
  putServerRoute: {
    method: "PUT",
    path: "/admin/routes/{name}",
    summary: "Write a route of the server",
    description: `Every workspace can then call it as the model route/{name}, as far as it may run the targets. ${checked}`,
    params,
    headers: expecting,
    body: jsonBody(PutRoute),
    answers: written,
  },
  deleteServerRoute: {
    method: "DELETE",
    path: "/admin/routes/{name}",
    summary: "Remove a route of the server",
    description: "Calls in flight finish.",
    params,
    headers: Type.Object(matching),
    answers: { 204: emptyAnswer("Removed."), ...genericFaults(400, 412) },
  },
});
