// Derived tokens: made from a key, a session or a token, listed, revoked. Nothing here ever gives more than the caller has
// (restrictions.ts). A token ends with each of its ancestors: its row is never changed for that, the look-up decides.
import { type TokenCapability, tokenLimits } from "@atelier/contract";
import type { Queryable } from "../../../foundation/database/database.ts";
import { Fault, orNotFound } from "../../../foundation/fault.ts";
import { type KeyId, newId, type PersonId, type WorkspaceId } from "../../../foundation/ids.ts";
import { TtlCache } from "../../../foundation/memory/ttl-cache.ts";
import type { Acting, ChangeDeps } from "../acting.ts";
import { displayPrefix, generateDerivedToken, hashSecret } from "../api-key.ts";
import { findKey } from "../key-store.ts";
import { requireName } from "../names.ts";
import type { Principal, Scope } from "../principal.ts";
import { lockWorkspace } from "../workspace-store.ts";
import type { DerivedToken, TokenView } from "./derived-token.ts";
import {
  countLiveTokens,
  findToken,
  forgetTokens,
  insertToken,
  isOriginOfTokens,
  listTokens,
  revokeToken,
} from "./derived-token-store.ts";
import { narrow, restrictRoot, type WantedRestrictions } from "./restrictions.ts";

export interface TokenRequest {
  readonly parent: Principal;
  readonly wanted: Omit<WantedRestrictions, "expiresAt"> & { readonly seconds?: number | undefined };
  readonly label: string | null;
  readonly createdBy: PersonId | null;
}

export interface SeenToken {
  readonly workspaceId: WorkspaceId;
  readonly tokenId: KeyId;
  readonly view: TokenView;
}

export interface DerivedTokens {
  // `secret` is the whole token; it appears only here.
  create(request: TokenRequest, by: Acting): Promise<{ token: DerivedToken; secret: string }>;
  // The newest first, ended ones too.
  list(wanted: {
    workspaceId: WorkspaceId;
    view: TokenView;
    before: KeyId | null;
    count: number;
  }): Promise<DerivedToken[]>;
  // Throws not_found. A token sees itself.
  get(wanted: SeenToken): Promise<DerivedToken>;
  // Ends it and everything made from it. Resolves when the other processes know.
  revoke(wanted: SeenToken, by: Acting): Promise<DerivedToken>;
  // Whether some token names this origin. Remembered for a second.
  isOrigin(origin: string): boolean | Promise<boolean>;
  // Forgets tokens that ended long ago.
  forget(): Promise<void>;
}

export interface DerivedTokensDeps extends ChangeDeps {
  // A credential ended, so everything made from it has, too.
  ancestorEnded(id: string): Promise<void>;
}

// Longer than a month, so that a cap set on a key still finds what tokens made from it spent this month.
const keepMs = 40 * 86_400_000;
const forgetRows = 1_000;
const rememberOriginMs = 1_000;
const originsMax = 1_000;

export function createDerivedTokens(deps: DerivedTokensDeps): DerivedTokens {
  const { db, clock } = deps;
  const origins = new TtlCache<string, boolean>({ clock, keepMs: rememberOriginMs, entriesMax: originsMax });
  return {
    async create(request, by) {
      const made = await createToken(deps, request, by);
      for (const origin of made.token.origins ?? []) origins.delete(origin);
      return made;
    },
    list: (wanted) => listTokens(deps.db, wanted),
    get: (wanted) => requireToken(db, wanted),
    async revoke(wanted, by) {
      const token = await deps.db.transaction(async (tx) => {
        const before = await requireToken(tx, wanted);
        const now = deps.clock.now();
        if (!(await revokeToken(tx, { ...wanted, now }))) return before;
        const subject = { kind: "token", id: before.id };
        const { workspaceId } = before;
        await deps.audit.append(tx, { ...by, action: "token.revoke", subject, workspaceId, before: auditOf(before) });
        return { ...before, revokedAt: now };
      });
      await deps.ancestorEnded(token.id);
      return token;
    },
    isOrigin: (origin) => origins.getOrLoad(origin, () => isOriginOfTokens(db, origin, clock.now())),
    async forget() {
      const endedBefore = new Date(deps.clock.now().getTime() - keepMs);
      while ((await forgetTokens(deps.db, { endedBefore, batchRows: forgetRows })) === forgetRows);
    },
  };
}

async function createToken(deps: DerivedTokensDeps, request: TokenRequest, by: Acting) {
  const now = deps.clock.now();
  const { seconds = tokenLimits.secondsUsual, ...asked } = request.wanted;
  const wanted = { ...asked, expiresAt: new Date(now.getTime() + seconds * 1_000) };
  const label = request.label === null ? null : requireName(request.label);
  const secret = generateDerivedToken();
  const { workspaceId } = request.parent;
  const token = await deps.db.transaction(async (tx) => {
    // The lock makes counting and inserting one step.
    if ((await lockWorkspace(tx, workspaceId)) === null) throw new Fault("not_found", "There is no such workspace.");
    if ((await countLiveTokens(tx, workspaceId, now)) >= tokenLimits.liveMax)
      throw new Fault("quota_exceeded", `A workspace can have ${tokenLimits.liveMax} tokens at a time.`);
    const made: DerivedToken = {
      ...(await rightsBelow(tx, request.parent, wanted)),
      id: newId<"key">(now.getTime()),
      workspaceId,
      prefix: displayPrefix(secret),
      label,
      createdBy: request.createdBy,
      createdAt: now,
      revokedAt: null,
    };
    await insertToken(tx, { ...made, hash: hashSecret(secret), scopes: scopesOf(made.capabilities) });
    const subject = { kind: "token", id: made.id };
    await deps.audit.append(tx, { ...by, action: "token.create", subject, workspaceId, after: auditOf(made) });
    return made;
  });
  return { token, secret };
}

async function rightsBelow(
  tx: Queryable,
  parent: Principal,
  wanted: WantedRestrictions,
): Promise<Pick<DerivedToken, "ancestors" | "sessionId" | "depth"> & ReturnType<typeof narrow>> {
  const { workspaceId } = parent;
  const capabilities = capabilitiesOf(parent.scopes);
  if (parent.kind === "identity") {
    const root = restrictRoot({ capabilities, expiresAt: null }, wanted);
    return { ...root, ancestors: [], sessionId: parent.sessionId, depth: 1 };
  }
  const { keyId } = parent;
  if (parent.token === undefined) {
    const key = await findKey(tx, workspaceId, keyId);
    if (key === null) throw new Fault("forbidden", "This key cannot make tokens.");
    const root = restrictRoot({ capabilities, expiresAt: key.expiresAt }, wanted);
    return { ...root, ancestors: [keyId], sessionId: null, depth: 1 };
  }
  const view = { kind: "below", ancestorId: keyId } as const;
  const above = await requireToken(tx, { workspaceId, tokenId: keyId, view });
  if (above.depth >= tokenLimits.depthMax)
    throw new Fault("forbidden", `A chain of tokens can have ${tokenLimits.depthMax} members.`);
  return {
    ...narrow(above, wanted),
    ancestors: [...above.ancestors, keyId],
    sessionId: above.sessionId,
    depth: above.depth + 1,
  };
}

async function requireToken(db: Queryable, wanted: SeenToken): Promise<DerivedToken> {
  return orNotFound(await findToken(db, wanted), "There is no such token.");
}

function capabilitiesOf(scopes: readonly Scope[]): readonly TokenCapability[] {
  return [
    ...(scopes.includes("models") ? (["call_models", "read_models"] as const) : []),
    ...(scopes.includes("workflows") ? (["upload_assets", "read_assets"] as const) : []),
    "derive_tokens",
  ];
}

export function scopesOf(capabilities: readonly TokenCapability[]): readonly Scope[] {
  const models = capabilities.includes("call_models") || capabilities.includes("read_models");
  const workflows = capabilities.includes("upload_assets") || capabilities.includes("read_assets");
  return [...(models ? (["models"] as const) : []), ...(workflows ? (["workflows"] as const) : [])];
}

// What a list shows, never the secret or its hash.
function auditOf(token: DerivedToken) {
  const { label, prefix, capabilities, models, origins, addresses, endUser, creditsMax, expiresAt, ancestors } = token;
  return {
    ...(label === null ? {} : { label }),
    prefix,
    capabilities,
    models,
    origins,
    addresses,
    end_user: endUser,
    credits_max: creditsMax === null ? null : String(creditsMax),
    expires_at: expiresAt,
    parent_id: ancestors.at(-1) ?? null,
  };
}
