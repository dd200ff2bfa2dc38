// The v2 workflow API, written once and given a surface; and the resumable uploads beside it, which use their own protocol and
// are therefore in an area with their own envelope.

import { operations, type WorkflowHealth } from "@atelier/contract";
import { type Area, area, routesOf } from "../../foundation/http/area.ts";
import { type AssetRouteDeps, assetRoutes } from "./assets/assets.route.ts";
import * as uploads from "./assets/uploads.route.ts";
import type { ClassAnswersDeps } from "./classes/class-answers.ts";
import { nodeClassRoutes } from "./classes/node-classes.route.ts";
import { getWorkflowHealthRoute } from "./get-workflow-health.route.ts";
import { getWorkflowIndexRoute } from "./get-workflow-index.route.ts";
import type { EstimateWorkflowDeps } from "./jobs/estimate-workflow.ts";
import { type JobRouteDeps, jobRoutes } from "./jobs/jobs.route.ts";
import { plainEnvelope, tusVersion } from "./plain-envelope.ts";
import type { WorkflowCaller } from "./surface.ts";
import { workflowEnvelope } from "./workflow-envelope.ts";

export interface WorkflowAreasDeps extends AssetRouteDeps {
  // Null if only assets are served.
  readonly work: WorkflowWork | null;
}

// What it takes to accept jobs.
export interface WorkflowWork
  extends Omit<JobRouteDeps, keyof AssetRouteDeps>,
    Pick<ClassAnswersDeps, "cursors">,
    Pick<EstimateWorkflowDeps, "pastRuns"> {
  // Must not touch anything that could delay the answer.
  readonly health: () => WorkflowHealth;
}

export function workflowAreas(deps: WorkflowAreasDeps): Area[] {
  const { surface, work } = deps;
  const guarded = {
    authenticate: surface.authenticate,
    admit: surface.admit,
    ...(surface.watch ? { watch: surface.watch } : {}),
    flowOf: (caller: WorkflowCaller) => caller.workspaceId,
    cors: "listed",
  } as const;
  return [
    area<WorkflowCaller>({
      ...guarded,
      name: "workflows",
      prefixes: ["/api/v2", "/api/jobs", "/workflow"],
      envelope: workflowEnvelope,
      routes: [
        ...assetRoutes(deps),
        ...(work
          ? [
              getWorkflowIndexRoute(surface),
              ...jobRoutes({ ...deps, ...work }),
              ...nodeClassRoutes({ ...deps, ...work }),
            ]
          : []),
      ],
    }),
    area<WorkflowCaller>({
      ...guarded,
      name: "workflow-uploads",
      prefixes: ["/api/v2/uploads"],
      envelope: plainEnvelope,
      earlyHeaders: () => ({ "tus-resumable": tusVersion }),
      // tus 1.0.0: clients can ask what is offered before anything else, even without a key.
      options: uploads.offeredToUploads,
      routes: routesOf(deps, uploads),
    }),
    ...(work ? [healthArea(work)] : []),
  ];
}

// A supervisor calls it without a key.
function healthArea({ health }: Pick<WorkflowWork, "health">): Area {
  return area<undefined>({
    name: "workflow-health",
    prefixes: [operations.getWorkflowHealth.path],
    authenticate: null,
    cors: "listed",
    envelope: workflowEnvelope,
    routes: [getWorkflowHealthRoute(health)],
  });
}
