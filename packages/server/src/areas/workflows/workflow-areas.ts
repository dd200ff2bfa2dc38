// The v2 workflow API, written once and given a surface, and the resumable uploads beside it, which speak a protocol of
// their own and therefore stand in an area with an envelope of their own.
import { type Area, area } from "../../foundation/http/area.ts";
import { type AssetRouteDeps, assetRoutes } from "./assets.route.ts";
import { plainEnvelope, tusVersion } from "./plain-envelope.ts";
import type { WorkflowCaller } from "./surface.ts";
import { uploadRoutes } from "./uploads.route.ts";
import { workflowEnvelope } from "./workflow-envelope.ts";

export type WorkflowAreasDeps = AssetRouteDeps;

export function workflowAreas(deps: WorkflowAreasDeps): Area[] {
  const { surface } = deps;
  const guarded = {
    authenticate: surface.authenticate,
    admit: surface.admit,
    cors: "listed",
  } as const;
  return [
    area<WorkflowCaller>({
      ...guarded,
      name: "workflows",
      prefixes: ["/api/v2", "/api/jobs", "/workflow"],
      envelope: workflowEnvelope,
      routes: assetRoutes(deps),
    }),
    area<WorkflowCaller>({
      ...guarded,
      name: "workflow-uploads",
      prefixes: ["/api/v2/uploads"],
      envelope: plainEnvelope,
      earlyHeaders: () => ({ "tus-resumable": tusVersion }),
      routes: uploadRoutes(deps),
    }),
  ];
}
