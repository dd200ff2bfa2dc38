// The health checks of a running server: the findings of `atelier doctor` that can be made from inside, and what only this
// process knows: which providers and partners have no credential here.
import { ownProcesses } from "@atelier/engine/isolation";
import { consoleFinding, missingConsole } from "../../areas/console/index.ts";
import { lookAtBackground } from "../../capabilities/background-reports/index.ts";
import { lookAtBackups, scheduleOf } from "../../capabilities/backup/index.ts";
import { blobsFinding, storeClock } from "../../capabilities/blobs/index.ts";
import { lookAtRefusals } from "../../capabilities/credential-refusals/index.ts";
import { lookAtTools } from "../../capabilities/graph-runs/index.ts";
import { lookAtMail } from "../../capabilities/mail/index.ts";
import { partnerFindings } from "../../capabilities/partners/index.ts";
import { lookAtWorkers } from "../../capabilities/pools/index.ts";
import { circuitFindings, providerFindings } from "../../capabilities/providers/index.ts";
import { findRingDisagreement, ringFinding } from "../../capabilities/secrets/index.ts";
import { lookAtPayments } from "../../capabilities/selling/index.ts";
import { migrationsDirectory } from "../../foundation/database/opening/migrations-directory.ts";
import { egressFinding } from "../../foundation/http/outgoing/egress-finding.ts";
import { lookAtInvariants, lookAtSchema } from "../../foundation/looks/database-looks.ts";
import type { Finding } from "../../foundation/looks/finding.ts";
import { busFindings } from "../../foundation/looks/look-at-bus.ts";
import { lookAtHome } from "../../foundation/looks/look-at-home.ts";
import { looksInTime } from "../../foundation/looks/looks-in-time.ts";
import { isolationFinding } from "../../foundation/threads/isolation-findings.ts";
import { lookAtReach } from "../doctor/doctor-settings.ts";
import { allInvariants } from "../invariants.ts";
import { hasRole } from "../roles.ts";
import { serverVersion } from "../server-version.ts";
import type { ServiceDeps, Services } from "./build-services.ts";

export interface Checked {
  readonly checkedAt: Date;
  readonly startedAt: Date;
  readonly version: string;
  readonly findings: readonly Finding[];
}

type CheckDeps = Pick<
  ServiceDeps,
  "config" | "clock" | "storage" | "paying" | "capabilities" | "selling" | "isolation"
>;
type CheckServices = Pick<Services, "models" | "partners">;

// One run at a time: concurrent callers share the result.
export function serverChecks(deps: CheckDeps, services: CheckServices): () => Promise<Checked> {
  const startedAt = deps.clock.now();
  let looking: Promise<readonly Finding[]> | null = null;
  return async () => {
    looking ??= lookAtAll(deps, services).finally(() => {
      looking = null;
    });
    const findings = await looking;
    return { checkedAt: deps.clock.now(), startedAt, version: serverVersion, findings };
  };
}

async function lookAtAll(deps: CheckDeps, services: CheckServices): Promise<readonly Finding[]> {
  const { storage, config, paying, capabilities, clock, selling, isolation = ownProcesses } = deps;
  const { database } = storage;
  const disagreement = () => findRingDisagreement({ database, ring: capabilities.keyRing, clock });
  const found = await looksInTime(clock, [
    ["database", async () => (await lookAtSchema(storage, migrationsDirectory)).findings],
    ["home", () => lookAtHome(config)],
    ["blobs", async () => [blobsFinding(await paying.blobs.freeSpaceProblem()), ...storeClock(paying.blobs)]],
    ["key ring", async () => [ringFinding(await disagreement())]],
    ["bus", async () => busFindings(paying.bus)],
    ["console", async () => [consoleFinding(await missingConsole(config.home))]],
    ["address", async () => lookAtReach(config)],
    ["ffmpeg", async () => (hasRole(config, "engine") ? [lookAtTools()] : [])],
    ["isolation", async () => [isolationFinding(isolation)]],
    ["providers", async () => providerFindings(services.models.live.list())],
    ["providers", async () => circuitFindings(services.models.health.list())],
    ["partners", async () => partnerFindings(services.partners.all)],
    ["mail", () => lookAtMail(config)],
    ["egress", async () => [egressFinding(config)]],
    ["workers", () => lookAtWorkers(database, clock, "server")],
    ["background", () => lookAtBackground(database)],
    ["credentials", () => lookAtRefusals(database, "server")],
    ["backups", () => lookAtBackups({ database, clock, schedule: scheduleOf(config) })],
    ["payments", async () => (selling === null ? [] : lookAtPayments(selling))],
    ["invariants", () => lookAtInvariants(database, allInvariants)],
  ]);
  return found.flat();
}
