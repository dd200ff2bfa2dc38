// The only worker of a proxy: gives jobs to the application while it is up, one at a time unless configured otherwise. Jobs
// wait in our queue and not in the application's, which forgets its queue when it ends. While it is down no job is taken, so
// that no attempt is wasted on an unreachable application.
import type { FileReference } from "@atelier/engine";
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import { parseId, trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";
import type { ApplicationFiles } from "../application-files/index.ts";
import { type Application, applicationRunner, type StagedContent } from "../applications/index.ts";
import type { Asset, Assets } from "../assets/index.ts";
import type { Blobs } from "../blobs/index.ts";
import { besideJobs, createGraphWorker, type GraphRunner } from "../graph-runs/index.ts";
import type { Jobs, WorkerId, WorkerPort } from "../jobs/index.ts";
import { sharedPool } from "../pools/index.ts";

export interface ApplicationJobsDeps {
  readonly config: { readonly engineSlots: number | null; readonly jobSecondsMax: number };
  readonly life: Lifecycle;
  readonly clock: Clock;
  readonly log: Log;
  readonly application: Application;
  readonly assets: Pick<Assets, "find" | "shrink">;
  readonly blobs: Pick<Blobs, "open">;
  readonly files: Pick<ApplicationFiles, "nameOf">;
  readonly jobs: Jobs;
}

// The same across restarts of a proxy: it continues what an earlier run had, under the same attempt.
const proxyWorker: WorkerId = trustedId("00000000-0000-7000-8000-000000000002");

// No other worker could take the jobs, so a lease only has to outlast a restart of the proxy.
export const proxyLeaseSeconds = 600;

export function runApplicationJobs(deps: ApplicationJobsDeps): void {
  const { life, clock, log, jobs, application, config } = deps;
  const worker = createGraphWorker({
    workerId: proxyWorker,
    poolId: sharedPool,
    slots: config.engineSlots ?? 1,
    port: whileThere(jobs.workers, application),
    runner: withTypedEndings(
      applicationRunner({
        application,
        clock,
        log,
        timing: { runMsMax: config.jobSecondsMax * 1000 },
        shrinkPicture: (bytes, side) => deps.assets.shrink(bytes, side),
        openFile: (workspaceId, reference) => openFile(deps, workspaceId, reference),
        async placedName(workspaceId, reference) {
          const asset = await findAsset(deps.assets, workspaceId, reference);
          return asset && deps.files.nameOf(asset);
        },
      }),
    ),
    clock,
    log,
    ...besideJobs(jobs, proxyLeaseSeconds),
    // The application continues with what it has; after a restart the proxy asks it how that ended.
    drainMs: 0,
  });
  life.work("running graphs", worker, 15);
}

function whileThere(port: WorkerPort, application: Pick<Application, "whenUp">): WorkerPort {
  return {
    ...port,
    claim: async (asked) => ((await application.whenUp(asked.waitMs, asked.signal)) ? port.claim(asked) : []),
  };
}

// If a file cannot be given to the application, the job ends with the same message that an upload of the file would get.
function withTypedEndings(runner: GraphRunner): GraphRunner {
  return {
    async run(job, report, signal) {
      try {
        return await runner.run(job, report, signal);
      } catch (thrown) {
        if (!(thrown instanceof Fault) || thrown.status >= 500) throw thrown;
        const problem = { code: thrown.code, message: thrown.message, nodeId: null, classType: null };
        return { kind: "failed", isRetryable: false, problem };
      }
    },
  };
}

async function findAsset(
  assets: Pick<Assets, "find">,
  workspaceId: WorkspaceId,
  reference: FileReference,
): Promise<Asset | null> {
  if (reference.kind === "url") return null;
  const assetId = reference.kind === "asset" ? parseId<"asset">(reference.id) : null;
  if (reference.kind === "asset" && assetId === null) return null;
  const [asset] = await assets.find({
    workspaceId,
    assetIds: assetId === null ? [] : [assetId],
    filePaths: reference.kind === "name" && reference.folder === "input" ? [reference.name] : [],
  });
  return asset ?? null;
}

export async function openFile(
  { assets, blobs }: Pick<ApplicationJobsDeps, "assets" | "blobs">,
  workspaceId: WorkspaceId,
  reference: FileReference,
): Promise<StagedContent | null> {
  const asset = await findAsset(assets, workspaceId, reference);
  const opened = asset && (await blobs.open(asset.hash));
  if (!asset || !opened) return null;
  return { stream: opened.stream, hash: asset.hash, ...(asset.filePath === null ? {} : { name: asset.filePath }) };
}
