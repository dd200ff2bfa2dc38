// A route as we store it.
import type { PutRoute } from "@atelier/contract";
import type { Id, WorkspaceId } from "../../foundation/ids.ts";

export type RouteId = Id<"model-route">;
export type RouteDefinition = PutRoute;

export interface StoredRoute {
  readonly id: RouteId;
  // Null for the server's own.
  readonly workspaceId: WorkspaceId | null;
  readonly name: string;
  readonly definition: RouteDefinition;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
