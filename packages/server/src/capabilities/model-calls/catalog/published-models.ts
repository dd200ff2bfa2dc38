// Works in the router: models that workspaces published from their workflows. They are looked up for each caller and are not
// in the shared catalog, because each workspace sees others and one may have thousands.
import { Fault } from "../../../foundation/fault.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { ServedModel } from "../../providers/index.ts";
import type { CatalogModel } from "./catalog.ts";

export interface ListedWork {
  readonly id: string;
}

export interface PublishedModels {
  // Null if there is no such work or the workspace may not call it.
  find(workspaceId: WorkspaceId, id: string): Promise<CatalogModel | null>;
  // Those that the workspace may call, in bytewise order of ids, behind `after`.
  list(wanted: {
    readonly workspaceId: WorkspaceId;
    readonly after: string | null;
    readonly count: number;
  }): Promise<readonly ListedWork[]>;
  // For a call that lost its process, even if the work was withdrawn since.
  followed(id: string, version: number | null): ServedModel;
}

export interface PublishedHolder extends PublishedModels {
  connect(models: PublishedModels): void;
}

// Models are built before jobs, and works need both.
export function publishedHolder(): PublishedHolder {
  let models: PublishedModels | null = null;
  const connected = () => {
    if (models === null)
      throw new Fault("service_unavailable", "Works are still loading. Try again shortly.", { retryAfterSeconds: 1 });
    return models;
  };
  return {
    connect(given) {
      models = given;
    },
    find: async (workspaceId, id) => connected().find(workspaceId, id),
    list: async (wanted) => connected().list(wanted),
    followed: (id, version) => connected().followed(id, version),
  };
}
