// Workers that fill their folders: they read locks and weights, report how far they are, and learn who else has a weight.
// They have not registered yet, because their application may not run before its folder is filled; the token is enough.
import { operations, ReportFill, type WeightPieces } from "@atelier/contract";
import type { Environments } from "../../capabilities/environments/index.ts";
import type { WorkerCaller } from "../../capabilities/tokens/index.ts";
import { type Fills, pieceBytes, type Weights } from "../../capabilities/weights/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { requirePool, requireWorkerId } from "./known-workers.ts";

export interface FillRouteDeps {
  readonly weights: Pick<Weights, "pieces" | "open" | "fileOf">;
  // The mark of this machine, which a worker on it knows too.
  readonly machine: string | null;
  readonly fills: Pick<Fills, "report">;
  readonly environments: Pick<Environments, "named" | "lockOf">;
  // Bytes that leave this server for workers.
  weightBytesSent(bytes: number): void;
}

// The hashes of twenty thousand weights.
const reportBytesMax = 2 * 1024 * 1024;
const rangeBytesMax = 64 * 1024 * 1024;

export function reportFillRoute({ fills }: FillRouteDeps): Route<WorkerCaller> {
  return {
    operation: operations.reportFill,
    bodyBytesMax: reportBytesMax,
    async handle(incoming) {
      const { caller } = incoming;
      const workerId = requireWorkerId(incoming.params);
      const request = requireValid(ReportFill, await incoming.json());
      const { name, state, share, problem = null, has = null, wants = null, accuses = [] } = request;
      const found = await fills.report({
        workerId,
        tokenId: caller.tokenId,
        poolId: requirePool(caller, request.pool_id ?? null),
        name,
        state,
        bytesDone: request.bytes_done,
        bytesTotal: request.bytes_total,
        problem,
        share,
        has,
        wants,
        accuses,
      });
      const neighbours = found.map((each) => ({
        worker_id: each.worker_id,
        name: each.name,
        url: each.share_url,
        key: each.share_key,
      }));
      return jsonAnswer(200, { neighbours }, { "cache-control": "no-store" });
    },
  };
}

export function getWeightPiecesRoute({ weights, machine }: FillRouteDeps): Route<WorkerCaller> {
  return route(operations.getWeightPieces, async ({ params, query }) => {
    requireWorkerId(params);
    const blake3 = params["blake3"] ?? "";
    const found = await weights.pieces(blake3);
    if (found === null) throw new Fault("not_found", "This server does not have this weight.");
    const { sha256, bytes, pieces } = found;
    const asked = query.get("machine");
    if (asked !== null && !/^[0-9a-f]{64}$/.test(asked)) throw new Fault("invalid_request", "machine is not a mark.");
    const file = machine !== null && asked === machine ? await weights.fileOf(blake3) : null;
    const answer: WeightPieces = {
      blake3,
      sha256,
      bytes,
      piece_bytes: pieceBytes,
      pieces: pieces.toString("base64"),
      ...(file === null ? {} : { file }),
    };
    return jsonAnswer(200, answer, { "cache-control": "no-store" });
  });
}

export function readWeightRoute({ weights, weightBytesSent }: FillRouteDeps): Route<WorkerCaller> {
  return route(operations.readWeight, async ({ params, query }) => {
    requireWorkerId(params);
    const [from, bytes] = [readNumber(query, "from"), readNumber(query, "bytes")];
    if (bytes > rangeBytesMax) throw new Fault("invalid_request", `bytes must be at most ${rangeBytesMax}.`);
    const { source } = await weights.open(params["blake3"] ?? "", { from, bytes });
    weightBytesSent(bytes);
    const headers = {
      "content-type": "application/octet-stream",
      "content-length": String(bytes),
      "cache-control": "no-store",
    };
    return { status: 200, headers, body: source };
  });
}

export function getWorkerLockRoute({ environments }: FillRouteDeps): Route<WorkerCaller> {
  return route(operations.getWorkerLock, async ({ params }) => {
    requireWorkerId(params);
    const found = await environments.named(params["environment"] ?? "");
    const { id, name, version, note, packs, weights } = found;
    const answer = {
      id,
      name,
      version,
      lock_id: found.lockId,
      note,
      application_version: found.applicationVersion,
      packs,
      weights,
      weight_bytes: found.weightBytes,
      created_at: found.createdAt.toISOString(),
      lock: await environments.lockOf(found),
    };
    return jsonAnswer(200, answer, { "cache-control": "no-store" });
  });
}

function readNumber(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? "";
  if (!/^[0-9]{1,15}$/.test(text)) throw new Fault("invalid_request", `${name} must be a whole number.`);
  return Number(text);
}
