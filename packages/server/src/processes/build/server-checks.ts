// The health checks of a running server: the findings of `atelier doctor` that can be made from inside, and what only this
// process knows: which providers and partners have no credential here.
import { ownProcesses } from "@atelier/engine/isolation";
import { missingConsole } from "../../areas/console/index.ts";
import { listRefusals } from "../../capabilities/credential-refusals/shared-sql.ts";
import type { Partner } from "../../capabilities/partners/index.ts";
import { presentWorkers } from "../../capabilities/pools/index.ts";
import type { HealthEntry, LiveProvider } from "../../capabilities/providers/index.ts";
import { findRingDisagreement } from "../../capabilities/secrets/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import { sharedPool } from "../../surfaces/pools.ts";
import { lookAtBackups } from "../doctor/doctor-backups.ts";
import { egressFinding } from "../doctor/doctor-egress.ts";
import { type Finding, problem, warning, well } from "../doctor/doctor-finding.ts";
import { isolationFinding } from "../doctor/doctor-isolation.ts";
import { lookAtBackground, lookAtInvariants, lookAtSchema, lookAtWorkers, storeClock } from "../doctor/doctor-looks.ts";
import { lookAtHome } from "../doctor/doctor-machine.ts";
import { lookAtMail } from "../doctor/doctor-mail.ts";
import { busFinding, consoleFinding, lookAtTools } from "../doctor/doctor-parts.ts";
import { lookAtReach } from "../doctor/doctor-settings.ts";
import { hasRole } from "../roles.ts";
import { serverVersion } from "../server-version.ts";
import { scheduleOf } from "../upkeep/build-backups.ts";
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
  const { storage, config, paying, isolation = ownProcesses } = deps;
  const found = await looksInTime(deps.clock, [
    ["database", async () => (await lookAtSchema(storage)).findings],
    ["home", () => lookAtHome(config)],
    ["blobs", async () => [blobsFinding(await paying.blobs.freeSpaceProblem()), ...storeClock(paying.blobs)]],
    ["key ring", async () => [ringFinding(await disagreement(deps))]],
    ["bus", async () => busFindings(deps)],
    ["console", async () => [consoleFinding(await missingConsole(config.home))]],
    ["address", async () => lookAtReach(config)],
    ["ffmpeg", async () => (hasRole(config, "engine") ? [lookAtTools()] : [])],
    ["isolation", async () => [isolationFinding(isolation)]],
    ["providers", async () => providerFindings(services.models.live.list())],
    ["providers", async () => circuitFindings(services.models.health.list())],
    ["partners", async () => partnerFindings(services.partners.all)],
    ["mail", () => lookAtMail(config)],
    ["egress", async () => [egressFinding(config)]],
    ["workers", () => workersFinding(deps)],
    ["background", () => lookAtBackground(storage)],
    ["credentials", () => refusedFindings(deps)],
    ["backups", () => lookAtBackups({ database: storage.database, clock: deps.clock, schedule: scheduleOf(config) })],
    ["payments", () => paymentFindings(deps)],
    ["invariants", () => lookAtInvariants(storage)],
  ]);
  return found.flat();
}

type Look = readonly [name: string, look: () => Promise<readonly Finding[]>];

// Runs all checks in parallel and returns them in order. Each is cut off after five seconds.
export function looksInTime(clock: Pick<Clock, "sleep">, looks: readonly Look[]): Promise<(readonly Finding[])[]> {
  return Promise.all(
    looks.map(([name, look]) => {
      const over = new AbortController();
      const late = clock.sleep(lookMsMax, over.signal).then(() => [tookTooLong(name)]);
      return Promise.race([look().catch(() => [notLookedAt(name)]), late]).finally(() => over.abort());
    }),
  );
}

// Callers wait for at least ten seconds; a slower check is reported as too slow.
const lookMsMax = 5_000;

const tookTooLong = (name: string): Finding =>
  warning(name, "The check took too long.", "the machine is busy: try again, or run: atelier doctor");

// The error may contain an address, so it goes only to the log.
const notLookedAt = (name: string): Finding =>
  problem(name, "The check failed.", "see the server's log, and run: atelier doctor");

function busFindings({ paying: { bus } }: CheckDeps): readonly Finding[] {
  return bus.reachesOthers ? [busFinding("The bus", bus.problem())] : [];
}

function blobsFinding(found: string | null): Finding {
  if (found === null) return well("blobs", "writable, with free space");
  return problem("blobs", found, "free some space there, or check ATELIER_BLOBS; uploads and results are refused");
}

const disagreement = ({ storage, capabilities, clock }: CheckDeps) =>
  findRingDisagreement({ database: storage.database, ring: capabilities.keyRing, clock });

function ringFinding(found: string | null): Finding {
  if (found === null) return well("key ring", "matches the database");
  return problem("key ring", found, "restore the matching secrets.json, or run: atelier secrets adopt --yes");
}

export function providerFindings(
  live: readonly Pick<LiveProvider, "provider" | "definition" | "hasCredential" | "models">[],
): readonly Finding[] {
  const bare = live.flatMap(({ provider, definition, hasCredential }) => {
    if (definition === null)
      return [warning("providers", `this version cannot read ${provider}`, "update its definition")];
    if (hasCredential || definition.credential.kind === "none") return [];
    const { setting } = definition.credential;
    return [warning("providers", `${provider} has no credential`, `set ${setting}, or enter it under Providers`)];
  });
  const served = live.filter(({ models }) => models.some((model) => model.served));
  const others = served.filter(({ provider }) => provider !== "sandbox").length;
  const models = served.reduce((sum, each) => sum + each.models.filter((model) => model.served).length, 0);
  if (others > 0) return [well("providers", `${served.length} serve ${models} models`), ...bare];
  const message = served.length > 0 ? "only the sandbox serves models" : "no provider serves a model";
  return [
    warning(
      "providers",
      message,
      "enter a provider's credential under Providers, or set its ATELIER_PROVIDER_… variable",
    ),
    ...bare,
  ];
}

// Only of the server's own credentials: a workspace with its own sees its failures itself.
export function circuitFindings(health: readonly HealthEntry[]): readonly Finding[] {
  return health
    .filter(({ circuit, credentialOf }) => circuit !== "closed" && credentialOf === null)
    .map(({ provider, lastFailure }) =>
      warning(
        "providers",
        `calls to ${provider} keep failing${lastFailure === null ? "" : `: ${lastFailure.reason}`}`,
        `see ${provider} under Providers; routes ask it last until a call succeeds`,
      ),
    );
}

export function partnerFindings(partners: readonly Pick<Partner, "definition" | "baseUrl">[]): readonly Finding[] {
  return partners.map(({ definition, baseUrl }) => {
    const { partner, credential, base_url } = definition;
    if (baseUrl !== null) return well("partners", `${partner} can be called`);
    const address = `ATELIER_${partner.toUpperCase().replaceAll("-", "_")}_URL`;
    const missing = [
      ...(base_url === null ? [address] : []),
      ...(credential.kind === "none" ? [] : [credential.setting]),
    ];
    return warning("partners", `${partner} has no address or no credential`, `set ${missing.join(" and ")}`);
  });
}

async function workersFinding({ storage, clock }: CheckDeps): Promise<readonly Finding[]> {
  const present = await presentWorkers(storage.database, sharedPool);
  if (present.some(({ slots }) => slots > 0)) return lookAtWorkers(storage, clock);
  return [
    warning("workers", "none running; jobs are waiting", "create a token under Workers, then run: atelier worker"),
  ];
}

async function paymentFindings({ selling }: CheckDeps): Promise<readonly Finding[]> {
  if (selling === null) return [];
  const { plans, waiting, late, lastEventAt } = await selling.look();
  const found: Finding[] = [];
  if (late > 0) found.push(problem("payments", `${late} events could not be applied`, "see the server's log"));
  if (waiting > 0)
    found.push(warning("payments", `${waiting} payments brought no credits yet`, "run: atelier payments ls --waiting"));
  if (plans === 0) found.push(warning("payments", "no plan is sold", "run: atelier plans create"));
  if (found.length > 0) return found;
  const last = lastEventAt === null ? "no event yet" : `last event ${lastEventAt.toISOString()}`;
  return [well("payments", `${plans} plans, ${last}`)];
}

// From the last day. Credentials stored here take effect without a restart, so the advice differs from doctor's.
async function refusedFindings({ storage }: CheckDeps): Promise<readonly Finding[]> {
  const refused = await listRefusals(storage.database, 24);
  if (refused.length === 0) return [well("credentials", "none rejected in the last day")];
  return refused.map(({ holder, setting, status, words }) =>
    warning(
      "credentials",
      `${holder} rejected ${setting}: ${status}${words === null ? "" : ` "${words}"`}`,
      `set ${setting} to a valid credential, or check the account there`,
    ),
  );
}
