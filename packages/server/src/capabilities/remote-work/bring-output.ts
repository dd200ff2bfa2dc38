// Sends one output to the server. It is spooled first, because it may have to be sent more than once. If asking by hash
// could save the upload, we ask; then we send. Null if another worker has the job by now.
import { Fault } from "../../foundation/fault.ts";
import { trustedId } from "../../foundation/ids.ts";
import type { JobOutput, OutputInput } from "../jobs/index.ts";
import { type Insist, isRefused, lostOr, unlessUnknown } from "./server-answers.ts";
import { ServerCallProblem, type ServerClient } from "./server-client.ts";
import { spoolOutput } from "./spooled-output.ts";
import { readKept } from "./wire.ts";

export interface BringOutputDeps {
  readonly server: ServerClient;
  readonly spoolDirectory: string;
  readonly insist: Insist;
}

const askMs = 15_000;
const uploadMs = 3_600_000;
// Below this, asking whether the bytes are known costs as much as sending them.
const askBytesMin = 16 * 1024;

// `path`: the outputs of the job's attempt.
export async function bringOutput(deps: BringOutputDeps, path: string, output: OutputInput): Promise<JobOutput | null> {
  const { server, insist } = deps;
  const spooled = await spoolOutput(output.source, deps.spoolDirectory);
  const { nodeId, index, name, contentType, folder = "output" } = output;
  const described = { node_id: nodeId, index, name, folder, hash: spooled.hash };
  const query = new URLSearchParams({ ...described, index: String(index) });
  const ask = () =>
    server.call({ method: "POST", path, json: { ...described, content_type: contentType }, totalMs: askMs });
  const upload = () =>
    server.call({
      method: "PUT",
      path: `${path}?${query}`,
      body: { contentType, source: () => spooled.source(), bytes: spooled.bytes },
      totalMs: uploadMs,
    });
  try {
    const known = spooled.bytes < askBytesMin ? null : await insist(ask).catch(unlessUnknown);
    const kept = readKept(known ?? (await insist(upload)));
    return {
      assetId: trustedId(kept.asset_id),
      nodeId,
      name,
      kind: "file",
      contentType,
      sizeBytes: kept.size,
      hash: kept.hash,
      folder,
      version: 0,
    };
  } catch (error) {
    if (error instanceof ServerCallProblem && isRefused(error))
      throw new Fault(error.code, error.message, { cause: error });
    return lostOr(error);
  } finally {
    await spooled.remove();
  }
}
