// Bytes to and from a worker: only the files that its job was given, and what its job has made. Decisions, section 6: a worker
// sees only its leased job.
import type { Readable } from "node:stream";
import { type KeptOutput, OutputByHash, OutputQuery, operations } from "@atelier/contract";
import { type AssetId, type Assets, requireContentType, requireFilePath } from "../../capabilities/assets/index.ts";
import type { Blobs } from "../../capabilities/blobs/index.ts";
import type { JobOutput, QueuePort } from "../../capabilities/jobs/index.ts";
import type { WorkerCaller } from "../../capabilities/tokens/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import { type BytesAnswer, jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import { guardRate, requireIdentityEncoding } from "../../foundation/http/body/read-body.ts";
import { parseId } from "../../foundation/ids.ts";
import { hasAtMost } from "../../foundation/json/characters.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { type KnownWorkers, noSuchLease } from "./known-workers.ts";

export interface OutputRouteDeps {
  readonly jobs: { readonly workers: QueuePort };
  readonly assets: Pick<Assets, "get">;
  readonly blobs: Pick<Blobs, "open">;
  readonly clock: Clock;
  readonly knownWorkers: KnownWorkers;
}

const previewBytesMax = 128 * 1024;
const rateWindowMs = 30_000;
const windowBytesMin = 30 * 1024;

export function readJobInputRoute(deps: OutputRouteDeps): Route<WorkerCaller> {
  return route(operations.readJobInput, async (incoming) => {
    const { lease } = await deps.knownWorkers.lease(incoming);
    const assetId = parseId<"asset">(incoming.params["assetId"] ?? "");
    const opened = assetId === null ? null : await openInput(deps, lease, assetId);
    if (opened === null) throw new Fault("not_found", "This worker's job does not use this file.");
    return {
      status: 200,
      headers: {
        "content-type": "application/octet-stream",
        "content-length": String(opened.size),
        etag: `"${opened.hash}"`,
        "cache-control": "no-store",
        ...(opened.name === null ? {} : { "x-file-name": encodeURIComponent(opened.name) }),
      },
      body: opened.source,
    };
  });
}

export function reportPreviewRoute({ knownWorkers, jobs: { workers } }: OutputRouteDeps): Route<WorkerCaller> {
  return {
    operation: operations.reportPreview,
    bodyBytesMax: previewBytesMax,
    async handle(incoming) {
      const { lease } = await knownWorkers.lease(incoming);
      const nodeId = incoming.query.get("node_id") ?? "";
      if (nodeId === "" || !hasAtMost(nodeId, 255)) throw new Fault("invalid_request", "node_id must name the node.");
      const contentType = checkedType(incoming.headers["content-type"] ?? "");
      const bytes = await incoming.bytes();
      if ((await workers.holderOf(lease)) === null) throw noSuchLease();
      workers.preview(lease, { nodeId, contentType, bytes });
      return { status: 204 };
    },
  };
}

export function keepKnownOutputRoute({ knownWorkers, jobs: { workers } }: OutputRouteDeps): Route<WorkerCaller> {
  return route(operations.keepKnownOutput, async (incoming) => {
    const { lease } = await knownWorkers.lease(incoming);
    const request = requireValid(OutputByHash, await incoming.json());
    const contentType = checkedType(request.content_type);
    const fields = { nodeId: request.node_id, index: request.index, name: checkedName(request.name), contentType };
    const folder = request.folder ?? "output";
    return kept(await workers.knownOutput(lease, { ...fields, folder, hash: request.hash }));
  });
}

export function keepOutputRoute(deps: OutputRouteDeps): Route<WorkerCaller> {
  return route(operations.keepOutput, async (incoming) => {
    const { lease } = await deps.knownWorkers.lease(incoming);
    requireIdentityEncoding(incoming.headers);
    const asked = Object.fromEntries(incoming.query);
    const index = /^[0-9]{1,6}$/.test(asked["index"] ?? "") ? Number(asked["index"]) : null;
    const request = requireValid(OutputQuery, { ...asked, index });
    const contentType = checkedType(incoming.headers["content-type"] ?? "");
    const name = checkedName(request.name);
    // Fenced before the first byte is read.
    const output = await deps.jobs.workers.output(lease, {
      nodeId: request.node_id,
      index: request.index,
      name,
      contentType,
      folder: request.folder ?? "output",
      source: paced(incoming.stream, deps.clock),
      expectedHash: request.hash,
    });
    return kept(output);
  });
}

async function openInput(
  { jobs, assets, blobs }: OutputRouteDeps,
  lease: Parameters<QueuePort["isInput"]>[0],
  assetId: AssetId,
) {
  const holder = await jobs.workers.holderOf(lease);
  if (holder === null || !(await jobs.workers.isInput(lease, assetId))) return null;
  const asset = await assets.get({ workspaceId: holder.workspaceId, assetId });
  const opened = await blobs.open(asset.hash);
  return opened && { source: opened.source, size: opened.size, hash: asset.hash, name: asset.filePath };
}

// A client that sends nothing for long is gone.
async function* paced(stream: Readable, clock: Clock): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  const slow = new Fault("request_timeout", "The request body arrived too slowly.");
  const guard = guardRate({ clock, windowMs: rateWindowMs, windowBytesMin, bytesSoFar: () => bytes }, () =>
    stream.destroy(slow),
  );
  try {
    for await (const chunk of stream) {
      bytes += chunk.length;
      yield chunk;
    }
  } finally {
    guard.stop();
  }
}

const checkedType = (text: string) => inThisEnvelope(() => requireContentType(text));
const checkedName = (text: string) => inThisEnvelope(() => requireFilePath(text));

// This area has only one code for an invalid request.
function inThisEnvelope<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof Fault && error.code === "validation_failed"
      ? new Fault("invalid_request", error.message)
      : error;
  }
}

function kept(output: JobOutput | null): BytesAnswer {
  if (output === null) throw noSuchLease();
  const value: KeptOutput = { asset_id: output.assetId, hash: output.hash, size: output.sizeBytes };
  return jsonAnswer(200, value, { "cache-control": "no-store" });
}
