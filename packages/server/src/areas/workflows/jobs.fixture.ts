// Shared by the pure tests of jobs; contains no tests.
import assert from "node:assert/strict";
import type { Job } from "../../capabilities/jobs/index.ts";
import { newId } from "../../foundation/ids.ts";
import type { Surface } from "./surface.ts";

export function aSurface(changed: Partial<Surface> = {}): Surface {
  return {
    authenticate: () => assert.fail(),
    admit: () => undefined,
    mountPath: "",
    poolId: newId(),
    executedGraph: false,
    hasCredits: true,
    links: {
      asset: () => assert.fail(),
      output: ({ assetId, jobExpiresAt }, { headers }) => ({
        url: `http://${headers.host}/${assetId}`,
        expiresAt: jobExpiresAt,
      }),
    },
    content: () => assert.fail(),
    ...changed,
  };
}

export function aJob(changed: Partial<Job> = {}): Job {
  return {
    id: newId(),
    workspaceId: newId(),
    poolId: newId(),
    state: "queued",
    version: 1,
    createdAt: new Date(0),
    startedAt: null,
    completedAt: null,
    expiresAt: new Date(1e12),
    queuePosition: 3,
    progress: null,
    outputs: [],
    error: null,
    outputsReused: false,
    creditsUsed: 0n,
    metadata: null,
    priority: 0,
    attempt: 0,
    ...changed,
  };
}
