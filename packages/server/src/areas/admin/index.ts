export { type AdminAreaDeps, adminArea } from "./admin-area.ts";
export type { AdminWorkspaces } from "./workspaces.route.ts";
