// The search parameters of these pages.
type Given = Readonly<Record<string, unknown>>;

// Leaves absent and empty values out of the address.
function textsOf<Name extends string>(given: Given, names: readonly Name[]): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = given[name];
    if (typeof value === "string" && value !== "") found[name] = value;
    if (typeof value === "number") found[name] = String(value);
  }
  return found;
}

export const systemTabs = ["checks", "background", "refused", "audit"] as const;
export type SystemTab = (typeof systemTabs)[number];
export const actorKinds = ["person", "api_key", "admin_token", "system"] as const;
const auditFilters = ["action", "subject_id", "request_id", "cursor"] as const;

export interface SystemSearch extends Partial<Record<(typeof auditFilters)[number], string>> {
  readonly tab?: SystemTab;
  readonly actor_kind?: (typeof actorKinds)[number] | undefined;
}

export function readSystemSearch(given: Given): SystemSearch {
  const tab = systemTabs.find((name) => name === given["tab"] && name !== "checks");
  const actor_kind = actorKinds.find((kind) => kind === given["actor_kind"]);
  return { ...(tab ? { tab } : {}), ...(actor_kind ? { actor_kind } : {}), ...textsOf(given, auditFilters) };
}

export interface ProvidersSearch {
  // The provider whose details are open.
  readonly provider?: string;
  readonly find?: string;
}

export function readProvidersSearch(given: Given): ProvidersSearch {
  return textsOf(given, ["provider", "find"]);
}

export const workerTabs = ["workers", "deployments", "tokens"] as const;
export type WorkerTab = (typeof workerTabs)[number];

export interface WorkersSearch {
  readonly tab?: WorkerTab;
  readonly cursor?: string;
}

export function readWorkersSearch(given: Given): WorkersSearch {
  const tab = workerTabs.find((name) => name === given["tab"] && name !== "workers");
  return { ...(tab ? { tab } : {}), ...textsOf(given, ["cursor"]) };
}

export const workspaceTabs = ["credits", "limits", "models"] as const;
export type WorkspaceTab = (typeof workspaceTabs)[number];

export interface WorkspacesSearch {
  readonly cursor?: string;
  // The open workspace, the tab, and the position in its journal.
  readonly workspace?: string;
  readonly tab?: WorkspaceTab;
  readonly lines?: string;
}

export function readWorkspacesSearch(given: Given): WorkspacesSearch {
  const tab = workspaceTabs.find((name) => name === given["tab"] && name !== "credits");
  return { ...(tab ? { tab } : {}), ...textsOf(given, ["cursor", "workspace", "lines"]) };
}
