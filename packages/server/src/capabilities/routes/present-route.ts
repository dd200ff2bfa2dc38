// A route in its wire format.
import type { ModelRoute } from "@atelier/contract";
import { Fault } from "../../foundation/fault.ts";
import { routeIdOf } from "../providers/index.ts";
import type { StoredRoute } from "./model-route.ts";

export function presentRoute({
  workspaceId,
  name,
  definition,
  version,
  createdAt,
  updatedAt,
}: StoredRoute): ModelRoute {
  const { title = null, description = null, rule = "order", strict = false, targets } = definition;
  return {
    id: routeIdOf(name),
    name,
    scope: workspaceId === null ? "server" : "workspace",
    title,
    description,
    rule,
    strict,
    targets,
    version,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

export const noSuchRoute = () => new Fault("not_found", "There is no such route.");

// Text that cannot be a route's name is not found.
export function readRouteName(text: string | undefined): string {
  const name = text ?? "";
  if (name.length > 128 || !/^[a-z0-9]+([._-][a-z0-9]+)*$/.test(name)) throw noSuchRoute();
  return name;
}
