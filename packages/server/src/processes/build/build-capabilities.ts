import { type Audit, createAudit } from "../../capabilities/audit/index.ts";
import { fundWallet } from "../../capabilities/calls/shared-sql.ts";
import {
  createFailureBudget,
  createIdentity,
  type ExternalIssuer,
  type Identity,
  type IdentityDeps,
} from "../../capabilities/identity/index.ts";
import { createLimits, type Limits } from "../../capabilities/limits/index.ts";
import { createMoves, type Moves } from "../../capabilities/moves/index.ts";
import { cursorsOf, type LiveKeyRing, openRing } from "../../capabilities/secrets/index.ts";
import {
  type AdminTokens,
  createAdminTokens,
  createWorkerTokens,
  type WorkerTokens,
} from "../../capabilities/tokens/index.ts";
import type { Config } from "../../config.ts";
import { type Forgetting, forgettingAlone } from "../../foundation/bus/forgetting.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { createGuardedClient } from "../../foundation/http/outgoing/guarded-client.ts";
import { newId } from "../../foundation/ids.ts";
import { partnerTokenAudience } from "../../surfaces/dialect/index.ts";
import { isDevelopment, type Reach } from "../development.ts";
import type { ProcessDeps } from "./process-deps.ts";

export interface Capabilities {
  readonly keyRing: LiveKeyRing;
  readonly audit: Audit;
  readonly limits: Limits;
  readonly identity: Identity;
  readonly moves: Moves;
  readonly adminTokens: AdminTokens;
  readonly workerTokens: WorkerTokens;
  readonly cursors: Cursors;
}

export interface CapabilityDeps extends ProcessDeps {
  readonly database: Database;
  // Where lists are read from. The database if absent.
  readonly lists?: Queryable;
  readonly baseUrl: () => string;
  readonly forgetting?: Forgetting;
}

export async function buildCapabilities(deps: CapabilityDeps): Promise<Capabilities> {
  const { config, database, life, clock, log } = deps;
  const keyRing = await openRing(config, clock);
  const audit = createAudit({ database, lists: deps.lists ?? database });
  const { forgetting = forgettingAlone } = deps;
  const defaults = {
    queued_requests: config.requestsQueuedMax,
    own_engine: config.engineSharing === "workspace" ? 1 : 0,
  };
  const limits = createLimits({ database, clock, defaults, forgetting });
  const failures = createFailureBudget({ clock });
  const moves = createMoves({ database, clock, audit, forgetting });
  const identity = createIdentity({
    db: database,
    requireHere: moves.requireHere,
    clock,
    log,
    audit,
    keyRing,
    failures,
    requireQuota: (workspaceId, name, used) => limits.requireQuota(workspaceId, name, used),
    workspaceCreated,
    baseUrl: deps.baseUrl,
    externalIssuer: externalIssuerOf(config, clock),
    unknownWorkspace: "must_exist",
    defaultEntitlements: ["*"],
    workspacesPerPersonMax: 100,
    membersPerWorkspaceMax: 1000,
    partnerAudience: partnerTokenAudience(config.dialect),
    freshSignInMs: config.freshSignInMinutes * 60_000,
    forgetting,
  });
  const workerTokens = createWorkerTokens({ database, clock, audit, failures, forgetting });
  const adminTokens = createAdminTokens({
    ...{ database, clock, audit, failures },
    environmentToken: config.adminToken,
    operators: identity.operators,
  });
  for (const run of [keyRing.follow, limits.exchangeRates, identity.run]) {
    const done = run(life.background, life.stopping).catch((error: unknown) =>
      log.error({ err: error }, "a background task ended"),
    );
    life.onStop("a background task", () => done, 5);
  }
  const forgetOld = (signal: AbortSignal) => audit.forgetOld(signal);
  life.repeat({ name: "audit: forget old entries", role: "background", everyMs: 3_600_000, round: forgetOld }, 5);
  const forgetTokens = () => identity.tokens.forget();
  life.repeat({ name: "identity: forget old tokens", role: "background", everyMs: 3_600_000, round: forgetTokens }, 5);
  life.onStop("last use of keys", () => identity.flush(), 5);
  await moves.look();
  life.repeat({ name: "moves: which workspaces left", everyMs: 2_000, round: () => moves.look() });
  return { moves, keyRing, audit, limits, identity, adminTokens, workerTokens, cursors: cursorsOf(keyRing, clock) };
}

// Further setup for a new workspace, in the transaction that creates it. The wallet is created when it is first needed.
export const workspaceCreated: IdentityDeps["workspaceCreated"] = async () => undefined;

// The first workspace of an installation starts with credits, so that everything can be tried immediately. Outside development
// this requires that the operator also chose the first key: there, credits are real money. The bootstrap writes the audit
// entry; the journal's fund line is the proof.
export function firstWorkspaceCreated(
  config: Reach & Pick<Config, "bootstrapKey" | "bootstrapCredits">,
): IdentityDeps["workspaceCreated"] {
  const isGiven = isDevelopment(config) || config.bootstrapKey !== null;
  const amount = isGiven ? BigInt(config.bootstrapCredits) * 1_000_000n : 0n;
  return async (tx, workspaceId) => {
    if (amount > 0n) await fundWallet(tx, { transactionId: newId(), workspaceId, amount });
  };
}

function externalIssuerOf(config: Config, clock: Clock): ExternalIssuer | null {
  if (config.identityIssuer === null) return null;
  const policy = { allowHttp: false, ports: [443], developmentTargets: [] };
  const client = createGuardedClient({ policy, clock });
  return {
    issuer: config.identityIssuer,
    audience: config.identityAudience,
    jwksUrl: config.identityJwksUrl ?? `${config.identityIssuer}/.well-known/jwks.json`,
    tokenKind: "JWT",
    async fetchKeySet(url, { bytesMax, timeoutMs }) {
      const outcome = await client.request({ url, method: "GET", answerBytesMax: bytesMax, totalMs: timeoutMs });
      if (outcome.kind !== "answered" || outcome.status !== 200 || outcome.truncated) {
        throw new Error(`The key set could not be read (${outcome.kind}).`);
      }
      return outcome.body;
    },
  };
}
