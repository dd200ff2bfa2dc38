// The workers' port over HTTPS, for a worker without a database. The server fences every call by the attempt. This side
// makes calls safe over an unreliable connection: each may be repeated, and a lost answer is asked for again (for a claim,
// by asking what this worker has: remote-claims.ts). The last preview is sent before the end of an attempt, and nothing
// after it.
import type { FileReference } from "@atelier/engine";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { type ClaimedJob, type JobLease, leaseKey, type WorkerPort } from "../jobs/index.ts";
import { bringOutput } from "./bring-output.ts";
import { createLiveNews } from "./live-news.ts";
import { createNewestCalls } from "./newest-call.ts";
import { RemoteClaims, type RemoteClaimsDeps } from "./remote-claims.ts";
import { insisting, lostOr } from "./server-answers.ts";
import type { ServerDownload } from "./server-client.ts";
import { readStates, wireEnding, wireLease, wireNodes, wireProgress } from "./wire.ts";

export interface RemotePortDeps extends RemoteClaimsDeps {
  readonly spoolDirectory: string;
}

export interface RemotePort extends WorkerPort {
  held(): readonly ClaimedJob[];
  openFile(workspaceId: WorkspaceId, reference: FileReference): Promise<ServerDownload | null>;
  close(): void;
}

const callMs = 15_000;
const heartbeatMs = 8_000;
const previewBytesMax = 128 * 1024;

export function createRemotePort(deps: RemotePortDeps): RemotePort {
  const { server, clock, spoolDirectory } = deps;
  const base = `/api/workers/${deps.workerId}`;
  const pathOf = ({ jobId, attempt }: JobLease) => `${base}/jobs/${jobId}/${attempt}`;
  const post = (path: string, json?: unknown, totalMs = callMs) => server.call({ method: "POST", path, json, totalMs });
  const insist = insisting(clock);
  const claims = new RemoteClaims(deps);
  const previews = createNewestCalls(clock);
  const live = createLiveNews({
    clock,
    async send(news) {
      const entries = news.map(({ lease, progress, nodes }) => ({
        ...wireLease(lease),
        progress: wireProgress(progress),
        ...wireNodes(nodes),
      }));
      await post(`${base}/progress`, { entries });
    },
  });

  function over(lease: JobLease): void {
    live.forget(lease);
    previews.forget(leaseKey(lease));
    claims.drop(lease);
  }

  return {
    claim: (asked) => claims.claim(asked),
    resume: () => claims.resume(),
    async heartbeat(leases) {
      try {
        const states = readStates(await post(`${base}/heartbeats`, { leases: leases.map(wireLease) }, heartbeatMs));
        for (const [at, lease] of leases.entries()) if (states[at] === "lost") over(lease);
        return states;
      } catch (error) {
        throw claims.noticed(error);
      }
    },
    progress: (lease, progress, nodes) => live.push(lease, progress, nodes),
    preview(lease, { nodeId, contentType, bytes }) {
      if (bytes.byteLength > previewBytesMax) return;
      const path = `${pathOf(lease)}/preview?${new URLSearchParams({ node_id: nodeId })}`;
      const body = { contentType, source: () => bytes, bytes: bytes.byteLength };
      previews.push(leaseKey(lease), () => server.call({ method: "PUT", path, body, totalMs: callMs }));
    },
    output: (lease, output) => bringOutput({ server, spoolDirectory, insist }, `${pathOf(lease)}/outputs`, output),
    async finish(lease, ending, nodes = null) {
      await previews.settle(leaseKey(lease));
      over(lease);
      return insist(() => post(`${pathOf(lease)}/finish`, { ...wireEnding(ending), ...wireNodes(nodes) })).then(
        () => true,
        (error: unknown) => lostOr(error) !== null,
      );
    },
    async giveBack(lease) {
      over(lease);
      await insist(() => post(`${pathOf(lease)}/give-back`));
    },
    // Nodes that pay for calls do not run on remote workers.
    releasePart: async () => undefined,
    held: () => claims.held(),
    async openFile(workspaceId, reference) {
      const assetId = reference.kind === "asset" ? reference.id : null;
      const job = claims
        .held()
        .find((one) => assetId !== null && one.workspaceId === workspaceId && one.workflow.includes(assetId));
      if (!job || assetId === null) return null;
      return insist(() => server.download(`${pathOf(job.lease)}/inputs/${assetId}`)).catch(lostOr);
    },
    close() {
      live.close();
      previews.close();
    },
  };
}
