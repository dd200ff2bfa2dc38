// A workspace's webhook secrets: 32 random bytes, sealed under the key ring, shown once. Rotating creates a new one that
// signs immediately, while the old one keeps signing beside it (24 hours by default), so that a receiver with either of
// them can verify every delivery. A workspace that never asked for one gets one with its first delivery: everything we
// send is signed.
import { randomBytes } from "node:crypto";
import type { Clock } from "../../foundation/clock.ts";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { newId, type RequestId, type WorkspaceId } from "../../foundation/ids.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import type { Audit, AuditActor } from "../audit/index.ts";
import { lockWorkspace } from "../identity/shared-sql.ts";
import type { Sealer } from "../secrets/index.ts";
import {
  endSecrets,
  insertFirstSecret,
  listSealedByOthers,
  listSecrets,
  listSigningSecrets,
  replaceSealed,
  type StoredSecret,
  type WebhookSecretId,
} from "./secret-store.ts";
import { secretText } from "./sign-delivery.ts";

export interface WebhookSecret {
  readonly id: WebhookSecretId;
  readonly createdAt: Date;
  // Null for the current one.
  readonly signsUntil: Date | null;
}

export interface Acting {
  readonly actor: AuditActor;
  readonly requestId?: RequestId;
}

export interface WebhookSecrets {
  list(workspaceId: WorkspaceId): Promise<readonly WebhookSecret[]>;
  // Returns the new one, with its text this one time.
  rotate(
    request: { readonly workspaceId: WorkspaceId; readonly overlapSeconds?: number | undefined },
    acting: Acting,
  ): Promise<WebhookSecret & { readonly text: string }>;
  // The secrets that sign now, newest first; never empty. Cached for five seconds, so a rotation reaches every process
  // within that time.
  signing(workspaceId: WorkspaceId): Promise<readonly Buffer[]>;
  // The same as texts, for redaction. The same array while they are cached.
  texts(workspaceId: WorkspaceId): Promise<readonly string[]>;
  // After a rotation of the key ring. Returns how many were resealed.
  resealAll(currentKeyId: string): Promise<number>;
}

export interface WebhookSecretsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly audit: Pick<Audit, "append">;
}

interface Signing {
  readonly secrets: readonly Buffer[];
  readonly texts: readonly string[];
}

const overlapSecondsDefault = 24 * 3600;
const secretBytes = 32;
const keptMs = 5_000;
const workspacesKept = 10_000;

export function createWebhookSecrets(deps: WebhookSecretsDeps): WebhookSecrets {
  const { database, clock, sealer } = deps;
  const kept = new TtlCache<WorkspaceId, Signing>({ clock, keepMs: keptMs, entriesMax: workspacesKept });

  async function readSigning(workspaceId: WorkspaceId): Promise<Signing> {
    let stored = await listSigningSecrets(database, workspaceId, clock.now());
    if (!stored.some(({ signsUntil }) => signsUntil === null)) {
      const { row } = makeSecret(sealer, workspaceId, clock.now());
      await insertFirstSecret(database, row);
      stored = await listSigningSecrets(database, workspaceId, clock.now());
    }
    const secrets = stored.map((secret) => openSecret(sealer, workspaceId, secret));
    return { secrets, texts: secrets.map((secret) => secret.toString("base64")) };
  }

  return {
    list: async (workspaceId) => (await listSecrets(database, workspaceId)).map(withoutSecret),
    async rotate({ workspaceId, overlapSeconds = overlapSecondsDefault }, acting) {
      const now = clock.now();
      const { row, text } = makeSecret(sealer, workspaceId, now);
      await database.transaction(async (tx: Queryable) => {
        // Rotations of one workspace run one after another.
        await lockWorkspace(tx, workspaceId);
        await endSecrets(tx, workspaceId, new Date(now.getTime() + overlapSeconds * 1000));
        await insertFirstSecret(tx, row);
        await deps.audit.append(tx, {
          ...acting,
          action: "webhook_secret.rotate",
          subject: { kind: "webhook_secret", id: row.id },
          workspaceId,
          after: { overlap_seconds: overlapSeconds },
        });
      });
      kept.delete(workspaceId);
      return { id: row.id, createdAt: now, signsUntil: null, text };
    },
    signing: async (workspaceId) => (await kept.getOrLoad(workspaceId, readSigning)).secrets,
    texts: async (workspaceId) => (await kept.getOrLoad(workspaceId, readSigning)).texts,
    async resealAll(currentKeyId) {
      const found = await listSealedByOthers(database, currentKeyId, 1_000);
      let count = 0;
      for (const secret of found) {
        const sealed = sealer.reseal(sealContextOf(secret.workspaceId, secret.id), secret.sealed);
        if (sealed === null) continue;
        await replaceSealed(database, secret, sealed);
        count += 1;
      }
      return count;
    },
  };
}

const sealContextOf = (workspaceId: WorkspaceId, id: WebhookSecretId) => ({
  use: "webhook-secret",
  associatedData: `${workspaceId} ${id}`,
});

function makeSecret(sealer: Sealer, workspaceId: WorkspaceId, at: Date) {
  const id: WebhookSecretId = newId<"webhook-secret">(at.getTime());
  const secret = randomBytes(secretBytes);
  return {
    row: { id, workspaceId, sealed: sealer.seal(sealContextOf(workspaceId, id), secret), at },
    text: secretText(secret),
  };
}

function openSecret(sealer: Sealer, workspaceId: WorkspaceId, stored: StoredSecret): Buffer {
  const opened = sealer.open(sealContextOf(workspaceId, stored.id), stored.sealed);
  if (opened === null) throw new Error(`The webhook secret ${stored.id} cannot be decrypted with this key ring.`);
  return opened;
}

function withoutSecret({ id, createdAt, signsUntil }: StoredSecret): WebhookSecret {
  return { id, createdAt, signsUntil };
}
