// Tokens of one kind: named, shown once, stored as a hash, revocable (decisions, sections 6 and 7). Unknown, revoked,
// expired and malformed tokens get the same answer. A refused one counts against its address; an address far over its
// budget costs no more look-ups.
import { timingSafeEqual } from "node:crypto";
import { type Forgetting, forgettingAlone } from "../../foundation/bus/forgetting.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Id, newId, parseId, type RequestId } from "../../foundation/ids.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import type { Audit, AuditActor } from "../audit/index.ts";
import type { FailureBudget } from "../identity/index.ts";
import { hashSecret, newSecret, type Presented } from "./token-secret.ts";
import {
  findUsableToken,
  insertToken,
  isUsableToken,
  listTokens,
  lockToken,
  markTokenRevoked,
  noteTokenUse,
  type Token,
  type TokenTable,
} from "./token-store.ts";

export interface TokenKind<Name extends string, Carried extends object> extends TokenTable<Carried> {
  // The name of the id type; the audit writes it with an underscore, people read it with a space.
  readonly name: Name;
  readonly article: "a" | "an";
  // The prefix of every secret of this kind.
  readonly prefix: string;
  // How long a token stays cached. With 0 every request asks the database.
  readonly believedMs: number;
}

export interface ActingOnTokens {
  readonly actor: AuditActor;
  readonly requestId: RequestId;
}

export type TokenRequest<Carried extends object> = { readonly name: string; readonly expiresAt: Date | null } & Carried;

export interface Tokens<Name extends string, Carried extends object> {
  // Throws unauthorized, or rate_limited for an address that failed too often.
  authenticate(presented: Presented, peer: string): Promise<Token<Name, Carried>>;
  // `secret` appears only in this answer.
  create(request: TokenRequest<Carried>, by: ActingOnTokens): Promise<{ token: Token<Name, Carried>; secret: string }>;
  list(): Promise<Token<Name, Carried>[]>;
  // True if neither revoked nor expired.
  isUsable(id: Id<Name>): Promise<boolean>;
  // Throws not_found. Revoking a revoked token is not an error: the caller has what they wanted.
  revoke(id: string, by: ActingOnTokens): Promise<void>;
}

export interface TokensDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "append">;
  readonly failures: FailureBudget;
  readonly forgetting?: Forgetting;
}

const believedMax = 10_000;
const useNotedSeconds = 60;

export function createTokens<Name extends string, Carried extends object>(
  kind: TokenKind<Name, Carried>,
  deps: TokensDeps,
): Tokens<Name, Carried> {
  const { database, clock, failures, forgetting = forgettingAlone } = deps;
  const believed = new TtlCache<string, Token<Name, Carried>>({
    clock,
    keepMs: kind.believedMs,
    entriesMax: believedMax,
  });
  const forget = forgetting.share(wordsFor(kind), (id) => believed.deleteWhere((token) => token.id === id));

  function refuse(peer: string): Fault {
    const retryAfterSeconds = failures.spend(peer);
    if (retryAfterSeconds === null) return unauthorized(kind);
    return new Fault("rate_limited", "Too many invalid credentials from this address. Try again later.", {
      retryAfterSeconds,
    });
  }

  async function authenticate(presented: Presented, peer: string): Promise<Token<Name, Carried>> {
    if (presented.kind === "none") throw unauthorized(kind);
    if (presented.kind === "refused") throw refuse(peer);
    const hash = hashSecret(presented.secret);
    const key = hash.toString("base64");
    const known = believed.get(key);
    if (known !== undefined) return known;
    if (failures.isClosed(peer)) throw refuse(peer);
    const untilMs = clock.monotonicMs() + kind.believedMs;
    const token = await findUsableToken<Name, Carried>(database, kind, { hash, now: null });
    if (token === null || !timingSafeEqual(token.hash, hash)) throw refuse(peer);
    await noteTokenUse(database, kind, { id: token.id, everySeconds: useNotedSeconds });
    if (kind.believedMs > 0) believed.set(key, token, untilMs);
    return token;
  }

  return {
    authenticate,
    create: (request, by) => createToken(kind, deps, request, by),
    list: () => listTokens(database, kind),
    isUsable: (id) => isUsableToken(database, kind, id),
    async revoke(text, by) {
      const id = parseId<Name>(text);
      if (id === null) throw noSuchToken(kind);
      await revokeToken(kind, deps, id, by);
      await forget(id);
    },
  };
}

async function createToken<Name extends string, Carried extends object>(
  kind: TokenKind<Name, Carried>,
  { database, clock, audit }: TokensDeps,
  request: TokenRequest<Carried>,
  by: ActingOnTokens,
) {
  const name = requireTokenName(request.name);
  if (request.expiresAt !== null && request.expiresAt <= clock.now()) {
    throw new Fault("invalid_request", "expires_at must be in the future.");
  }
  const secret = newSecret(kind.prefix);
  const token = await database.transaction(async (tx) => {
    const made = await insertToken<Name, Carried>(tx, kind, {
      ...request,
      id: newId<Name>(),
      name,
      hash: hashSecret(secret),
    });
    if (made === null)
      throw new Fault("conflict", `There is already ${kind.article} ${wordsFor(kind)} with this name.`);
    const carried = Object.fromEntries(kind.columns.map(([property, column]) => [column, made[property]]));
    await audit.append(tx, {
      ...by,
      action: `${auditName(kind)}.create`,
      subject: { kind: auditName(kind), id: made.id },
      after: { name: made.name, ...carried, expires_at: made.expiresAt },
    });
    return made;
  });
  return { token, secret };
}

async function revokeToken<Name extends string, Carried extends object>(
  kind: TokenKind<Name, Carried>,
  { database, audit }: TokensDeps,
  id: Id<Name>,
  by: ActingOnTokens,
): Promise<void> {
  await database.transaction(async (tx) => {
    const token = await lockToken(tx, kind, id);
    if (token === null) throw noSuchToken(kind);
    if (token.revokedAt !== null) return;
    await markTokenRevoked(tx, kind, id);
    await audit.append(tx, {
      ...by,
      action: `${auditName(kind)}.revoke`,
      subject: { kind: auditName(kind), id },
      before: { name: token.name },
    });
  });
}

// The audit shows a name for years, so it must be readable.
export function requireTokenName(text: string): string {
  const name = text.normalize("NFC").trim();
  if (name === "" || [...name].length > 100 || /[\p{C}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new Fault("invalid_request", "name must have 1 to 100 visible characters.");
  }
  return name;
}

const auditName = ({ name }: { readonly name: string }) => name.replace("-", "_");
const wordsFor = ({ name }: { readonly name: string }) => name.replace("-", " ");

export const unauthorized = (kind: { readonly name: string }) =>
  new Fault("unauthorized", `No valid ${wordsFor(kind)}. Send one in Authorization: Bearer.`);

const noSuchToken = (kind: { readonly name: string }) => new Fault("not_found", `There is no such ${wordsFor(kind)}.`);
