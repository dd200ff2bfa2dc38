// One process of a test's house: identity, limits, assets, jobs and deployments over what all its processes share. Contains no
// tests.
import { join } from "node:path";
import {
  builtInClasses,
  builtInEditorClasses,
  conversionOf,
  describeClasses,
  isUiGraph,
  validateGraph,
} from "@atelier/engine";
import { roundRobinFront } from "../../test/support/round-robin-front.ts";
import { serveAreas } from "../../test/support/small-server.ts";
import type { TestDatabase } from "../../test/support/test-database.ts";
import { content } from "../areas/content/index.ts";
import { createStreamQuota, type Surface, type WorkflowWork, workflowAreas } from "../areas/workflows/index.ts";
import { createAssets } from "../capabilities/assets/index.ts";
import { createAudit } from "../capabilities/audit/index.ts";
import { createBlobs, fileBlobStorage } from "../capabilities/blobs/index.ts";
import {
  createDeployments,
  type DeploymentId,
  type DeploymentInput,
  type ReportedWorker,
} from "../capabilities/deployments/index.ts";
import { allowAll, type DescribedClasses, freeOfCharge, type Graphs } from "../capabilities/graphs/index.ts";
import { createFailureBudget, createIdentity } from "../capabilities/identity/index.ts";
import { createJobs } from "../capabilities/jobs/index.ts";
import { createLimits, type Limits } from "../capabilities/limits/index.ts";
import { sharedPool } from "../capabilities/pools/index.ts";
import { createSealer, cursorsOf, type LiveKeyRing } from "../capabilities/secrets/index.ts";
import type { Bus } from "../foundation/bus/bus.ts";
import { type Forgetting, forgettingOver } from "../foundation/bus/forgetting.ts";
import { systemClock } from "../foundation/clock.ts";
import { Fault } from "../foundation/fault.ts";
import type { HandClock } from "../foundation/hand-clock.fixture.ts";
import { newId, type WorkspaceId } from "../foundation/ids.ts";
import { readWhole } from "../foundation/json/read-json.ts";
import { silentLog } from "../foundation/log.ts";
import { areasByArrival } from "./areas-by-arrival.ts";
import { cloud } from "./cloud.ts";
import { deployment } from "./deployment.ts";
import { deploymentMount, deploymentMountPattern } from "./deployment-host.ts";
import { selfHosted } from "./self-hosted.ts";

export interface HouseShared {
  readonly db: TestDatabase;
  readonly folder: string;
  readonly clock: HandClock;
  readonly ring: LiveKeyRing;
  readonly bus: Bus;
  readonly changed: Partial<WorkflowWork>;
  readonly workspaceId: WorkspaceId;
  contentUrl(): string;
  present(): Promise<readonly ReportedWorker[]>;
}

export type HouseProcess = ReturnType<typeof aHouseProcess>;

export function aHouseProcess(shared: HouseShared) {
  const { db, folder, clock, ring, bus, workspaceId } = shared;
  const forgetting = forgettingOver(bus);
  const limits = createLimits({ database: db, clock: systemClock, forgetting });
  const identity = makeIdentity(shared, limits, forgetting);
  const storage = fileBlobStorage({ directory: join(folder, "blobs"), reserve: { bytes: 0, share: 0 } });
  const blobs = createBlobs({ database: db, storage, graceSeconds: 0 });
  const cursors = cursorsOf(ring, clock);
  const settings = { contentUrl: shared.contentUrl, signedUrlSeconds: 6 * 3600, retentionSeconds: null };
  const assets = createAssets({ database: db, blobs, limits, keyRing: ring, cursors, clock, log: silentLog, settings });
  const publicUrl = () => null;
  const jobs = createJobs({
    database: db,
    clock: systemClock,
    log: silentLog,
    bus,
    assets,
    limits,
    sealer: createSealer(ring),
    cursors,
  });
  const work: WorkflowWork = {
    jobs,
    graphs: builtInGraphs,
    policy: allowAll,
    price: freeOfCharge,
    awaited: async (asked) => asked.map(() => null),
    egress: { webhooks: { allowHttp: false }, outputs: { allowHttp: false } },
    cursors,
    bodies: { read: async (bytes, options) => readWhole(bytes, options) },
    streamQuota: createStreamQuota({ limits }),
    health: () => ({ status: "healthy" }),
    ...shared.changed,
  };
  const areasOf = (surface: Surface, other: Partial<WorkflowWork> = {}) =>
    workflowAreas({ surface, assets, limits, clock: systemClock, work: { ...work, ...other } });
  const deployments = createDeployments({
    database: db,
    clock: systemClock,
    audit: createAudit({ database: db }),
    webhooks: { checkScaleUrl: () => null, enqueue: async () => [], wake: () => undefined },
    jobs,
    present: shared.present,
    forgetting,
  });
  const given = { identity, limits, assets, publicUrl };
  return {
    identity,
    limits,
    blobs,
    assets,
    jobs,
    deployments,
    areasOf,
    cloudAreas: () => areasOf(cloud({ ...given, poolId: sharedPool })),
    selfHostedAreas: () => areasOf(selfHosted({ workspaceId, token: null, assets, publicUrl, poolId: sharedPool })),
    contentAreas: () => [content({ assets, clock: systemClock, requireHere: () => undefined })],
    deploymentAreas(deploymentId: DeploymentId) {
      const areas = areasOf(deployment({ ...given, deployments, deploymentId, hasOwnHost: false }));
      return areasByArrival({
        pattern: areas,
        mountPath: deploymentMountPattern,
        async choose({ path }) {
          if (path.startsWith(`${deploymentMount(deploymentId)}/`)) return areas;
          throw new Fault("not_found", "There is no such deployment.");
        },
      });
    },
    async close() {
      await jobs.close();
      await assets.close();
      await identity.flush();
    },
  };
}

// One port per surface; if there are several processes they take turns behind it.
export async function serveHouse(
  processes: readonly HouseProcess[],
  deploymentId: DeploymentId,
): Promise<{
  readonly ports: readonly [cloud: number, selfHosted: number, content: number, deployment: number];
  stop(): Promise<void>;
}> {
  const stopping: (() => Promise<void>)[] = [];
  const served = async (areasOf: (one: HouseProcess) => Parameters<typeof serveAreas>[0]) => {
    const servers = await Promise.all(processes.map((one) => serveAreas(areasOf(one))));
    stopping.push(...servers.map((server) => () => server.stop(1)));
    const [first] = servers;
    if (servers.length === 1 && first) return first.port;
    const front = await roundRobinFront();
    front.to(servers.map(({ port }) => port));
    stopping.push(() => front.close());
    return front.port;
  };
  const ports = await Promise.all([
    served((one) => one.cloudAreas()),
    served((one) => one.selfHostedAreas()),
    served((one) => one.contentAreas()),
    served((one) => one.deploymentAreas(deploymentId)),
  ]);
  return {
    ports,
    async stop() {
      await Promise.all(stopping.map((stop) => stop()));
    },
  };
}

export const matchingWorker: ReportedWorker = {
  workerId: newId(),
  name: "a worker",
  slots: 1,
  environment: { engine: "embedded", version: "1", classes: {} },
  seenAt: new Date(),
};

export const anEmbeddedDeployment: DeploymentInput = {
  name: "dedicated",
  environment: {
    engine: "embedded",
    engineVersion: null,
    nodeClasses: null,
    settings: { jobSecondsMax: null, jobMemoryMegabytesMax: null },
  },
  workersMin: 0,
  workersMax: 1,
  jobsPerWorker: 1,
  workspaceId: null,
  scaleWebhookUrl: null,
};

// What the engine can run, without a router's models.
const builtInGraphs: Graphs = {
  isEditorFormat: isUiGraph,
  convert: (workflow) => conversionOf(workflow, builtInEditorClasses),
  check: (graph) => validateGraph(graph, { fileExists: () => false }),
  classes: () => describedClasses,
  fileInputs: (classType) =>
    (builtInClasses.get(classType)?.inputs ?? [])
      .filter((input) => input.type === "COMBO" && input.options === null)
      .map((input) => input.name),
};

const describedClasses: DescribedClasses = {
  descriptions: new Map(Object.entries(describeClasses(builtInClasses, [], { isExact: true }))),
  locationOf: () => ({ engine: true, pools: [], application: false }),
};

function makeIdentity({ db, ring }: HouseShared, limits: Limits, forgetting: Forgetting) {
  return createIdentity({
    db,
    clock: systemClock,
    log: silentLog,
    audit: createAudit({ database: db }),
    keyRing: ring,
    failures: createFailureBudget({ clock: systemClock, failuresPerMinuteMax: 1_000 }),
    requireQuota: (workspaceId, name, used) => limits.requireQuota(workspaceId, name, used),
    workspaceCreated: async () => {},
    baseUrl: () => "http://127.0.0.1:8080",
    externalIssuer: null,
    unknownWorkspace: "must_exist",
    defaultEntitlements: ["*"],
    workspacesPerPersonMax: 20,
    membersPerWorkspaceMax: 100,
    partnerAudience: null,
    freshSignInMs: 15 * 60_000,
    forgetting,
  });
}
