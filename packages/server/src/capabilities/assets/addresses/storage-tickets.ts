// The storage hand-off: a signed address where a file can be uploaded once, and a signed address where it can be
// downloaded afterwards; both last a day. The addresses exist before the bytes do, so they name the ticket and not the
// asset. The signature covers the direction (in or out), the ticket, the expiry, the key and the workspace of its row. If
// the workspace has uploaded a file with the same SHA-256 before, no upload is needed.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../../foundation/clock.ts";
import type { Database } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId, parseId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { KeyRing } from "../../secrets/index.ts";
import type { Asset, StoredAsset } from "../asset.ts";
import { findAsset } from "../asset-store.ts";
import type { ReceiveAsset } from "../receive-asset.ts";
import {
  fillTicket,
  findTicket,
  findTicketBySha256,
  insertTicket,
  type Ticket,
  type TicketId,
} from "./storage-ticket-store.ts";

export type TicketRequest = Pick<Ticket, "workspaceId" | "fileName" | "contentType" | "sha256">;

export interface IssuedTicket {
  readonly uploadUrl: string;
  readonly downloadUrl: string;
  readonly expiresAt: Date;
  readonly isExisting: boolean;
}

interface SignedLocation {
  readonly path: string;
  readonly queryText: string;
}

export interface StorageTickets {
  issue(request: TicketRequest): Promise<IssuedTicket>;
  // Throws forbidden for any address that does not work, and invalid_request if the bytes differ from those announced.
  put(
    location: SignedLocation & { readonly source: AsyncIterable<Uint8Array>; readonly signal: AbortSignal },
  ): Promise<number>;
  // Null if there is no such address, or nothing has been uploaded to it yet.
  resolve(location: SignedLocation): Promise<{ readonly asset: Asset; readonly remainingSeconds: number } | null>;
}

export interface StorageTicketDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly keyRing: KeyRing;
  readonly contentUrl: () => string;
  receive(request: ReceiveAsset): Promise<StoredAsset>;
  // Makes a record over bytes we have, so that they live long enough.
  fromHash(request: {
    workspaceId: WorkspaceId;
    hash: string;
    filePath: string;
    tags: readonly string[];
    keepSeconds: number;
  }): Promise<StoredAsset>;
}

const daySeconds = 24 * 3600;
const purpose = "storage-ticket";
const pathPrefix = "/c/uploads/";
const queryPattern = /^e=([1-9]\d{9})&k=([A-Za-z0-9_-]{1,64})&s=([A-Za-z0-9_-]{43})$/;

export function createStorageTickets(deps: StorageTicketDeps): StorageTickets {
  return {
    issue: (request) => issueTicket(deps, request),
    async put({ source, signal, ...address }) {
      const ticket = await verified(deps, address, "W");
      if (!ticket) throw new Fault("forbidden", "This URL is invalid or has expired.");
      return fill(deps, ticket, source, signal);
    },
    async resolve(address) {
      const { database, clock } = deps;
      const ticket = await verified(deps, address, "R");
      const asset =
        ticket?.assetId && (await findAsset(database, { ...ticket, assetId: ticket.assetId, now: clock.now() }));
      if (!ticket || !asset) return null;
      return { asset, remainingSeconds: (ticket.expiresAt.getTime() - clock.now().getTime()) / 1000 };
    },
  };
}

async function issueTicket(deps: StorageTicketDeps, request: TicketRequest): Promise<IssuedTicket> {
  const { database, clock, keyRing } = deps;
  const now = clock.now();
  const expirySeconds = Math.floor(now.getTime() / 1000) + daySeconds;
  const known = request.sha256 === null ? null : await knownAsset(deps, request.workspaceId, request.sha256);
  const ticket: Ticket = {
    id: newId<"storage-ticket">(now.getTime()),
    workspaceId: request.workspaceId,
    fileName: request.fileName,
    contentType: request.contentType,
    sha256: request.sha256,
    assetId: known && (await kept(deps, request, known)).id,
    createdAt: now,
    expiresAt: new Date(expirySeconds * 1000),
  };
  await insertTicket(database, ticket);
  const { id: keyId, secret } = keyRing.current(purpose);
  const url = (way: Way) =>
    `${deps.contentUrl()}${pathPrefix}${ticket.id}?e=${expirySeconds}&k=${keyId}&s=${signatureOf(secret, way, ticket, { expirySeconds, keyId }).toString("base64url")}`;
  return { uploadUrl: url("W"), downloadUrl: url("R"), expiresAt: ticket.expiresAt, isExisting: known !== null };
}

async function knownAsset(
  { database, clock }: StorageTicketDeps,
  workspaceId: WorkspaceId,
  sha256: string,
): Promise<Asset | null> {
  const ticket = await findTicketBySha256(database, { workspaceId, sha256, now: clock.now() });
  return ticket?.assetId ? findAsset(database, { workspaceId, assetId: ticket.assetId, now: clock.now() }) : null;
}

async function kept(
  deps: StorageTicketDeps,
  { workspaceId, fileName }: TicketRequest,
  { hash }: Asset,
): Promise<Asset> {
  const asked = { workspaceId, hash, filePath: fileName, tags: [], keepSeconds: daySeconds };
  return (await deps.fromHash(asked)).asset;
}

// First stores the bytes as an asset, then points the ticket to it. A crash in between leaves only an asset of the
// workspace that expires after a day.
async function fill(
  deps: StorageTicketDeps,
  ticket: Ticket,
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  const { id, workspaceId, contentType, fileName } = ticket;
  const digest = createHash("sha256");
  const stored = await deps.receive({
    workspaceId,
    source: hashed(source, digest),
    expectedHash: null,
    jobId: null,
    signal,
    describe() {
      if (ticket.sha256 !== null && ticket.sha256 !== digest.copy().digest("hex")) throw otherBytes;
      return { contentType, filePath: fileName, tags: [], keepSeconds: daySeconds, expectedHash: null };
    },
  });
  const sha256 = digest.digest("hex");
  // Of two concurrent uploads the first wins; uploading the same bytes again is fine.
  if ((await fillTicket(deps.database, { id, workspaceId, sha256, assetId: stored.asset.id })) !== sha256)
    throw otherBytes;
  return stored.asset.size;
}

async function verified(
  { database, clock, keyRing }: StorageTicketDeps,
  { path, queryText }: SignedLocation,
  way: Way,
): Promise<Ticket | null> {
  const id = path.startsWith(pathPrefix) ? parseId<"storage-ticket">(path.slice(pathPrefix.length)) : null;
  const [, expiry, keyId, signature] = queryPattern.exec(queryText) ?? [];
  const key = keyRing.verifying(purpose).find((one) => one.id === keyId);
  const given = Buffer.from(signature ?? "", "base64url");
  if (id === null || !key || given.length !== 32 || given.toString("base64url") !== signature) return null;
  const ticket = await findTicket(database, id, clock.now());
  const terms = { expirySeconds: Number(expiry), keyId: key.id };
  if (!ticket || !timingSafeEqual(given, signatureOf(key.secret, way, ticket, terms))) return null;
  return terms.expirySeconds * 1000 > clock.now().getTime() ? ticket : null;
}

const otherBytes = new Fault("invalid_request", "The bytes do not match the announced hash; nothing was stored.");

type Way = "R" | "W";

function signatureOf(
  secret: Buffer,
  way: Way,
  { id, workspaceId }: { readonly id: TicketId; readonly workspaceId: WorkspaceId },
  terms: { readonly expirySeconds: number; readonly keyId: string },
): Buffer {
  const lines = ["v1", way, `${pathPrefix}${id}`, String(terms.expirySeconds), terms.keyId, workspaceId];
  return createHmac("sha256", secret).update(lines.join("\n")).digest();
}

async function* hashed(
  source: AsyncIterable<Uint8Array>,
  digest: { update(chunk: Uint8Array): unknown },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    digest.update(chunk);
    yield chunk;
  }
}
