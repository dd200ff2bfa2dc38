// Tokens of publishers. A token acts for its publisher, only for publishing, and is sent in the body of a publication.
// The registry decides who may create and revoke them, in its own transaction, and writes the audit.
import type { Clock } from "../../foundation/clock.ts";
import type { Queryable } from "../../foundation/database/index.ts";
import { type Id, newId, parseId } from "../../foundation/ids.ts";
import { hashSecret, newSecret } from "./token-secret.ts";
import {
  findUsableToken,
  insertToken,
  listTokensOf,
  noteTokenUse,
  revokeTokensOf,
  type Token,
  type TokenTable,
} from "./token-store.ts";

interface Carried {
  readonly publisherId: string;
  readonly description: string | null;
  // The first characters, which lists show.
  readonly beginning: string;
}

export type PublisherToken = Token<"publisher-token", Carried>;

const kind: TokenTable<Carried> = {
  table: "publisher_tokens",
  columns: [
    ["publisherId", "publisher_id"],
    ["description", "description"],
    ["beginning", "beginning"],
  ],
};

const secretPattern = /^[A-Za-z0-9_-]{43}$/;
const shownCharacters = 4;
const ofPublisher = (id: string) => ({ column: "publisher_id", id });

// `secret` appears only in this answer.
export async function makePublisherToken(
  tx: Queryable,
  request: Pick<PublisherToken, "publisherId" | "name" | "description" | "expiresAt">,
): Promise<{ readonly id: Id<"publisher-token">; readonly secret: string }> {
  const id = newId<"publisher-token">();
  const secret = newSecret("");
  const beginning = secret.slice(0, shownCharacters);
  await insertToken<"publisher-token", Carried>(tx, kind, { ...request, id, beginning, hash: hashSecret(secret) });
  return { id, secret };
}

export function listPublisherTokens(db: Queryable, publisherId: string): Promise<PublisherToken[]> {
  return listTokensOf(db, kind, ofPublisher(publisherId));
}

// False if the publisher has no such token.
export async function revokePublisherToken(tx: Queryable, publisherId: string, tokenId: string): Promise<boolean> {
  const id = parseId<"publisher-token">(tokenId);
  return id !== null && (await revokeTokensOf(tx, kind, { owner: ofPublisher(publisherId), id })) === 1;
}

// For a publisher that is deleted in the same transaction.
export async function revokePublisherTokens(tx: Queryable, publisherId: string): Promise<void> {
  await revokeTokensOf(tx, kind, { owner: ofPublisher(publisherId), id: null });
}

// The publisher that a token in a publish body acts for. Null if it is unknown, revoked or expired. Records the use.
export async function findTokenPublisher(
  db: Queryable,
  clock: Pick<Clock, "now">,
  secret: string,
): Promise<PublisherToken | null> {
  if (!secretPattern.test(secret)) return null;
  const token = await findUsableToken<"publisher-token", Carried>(db, kind, {
    hash: hashSecret(secret),
    now: clock.now(),
  });
  if (token !== null) await noteTokenUse(db, kind, { id: token.id, everySeconds: 0 });
  return token;
}
