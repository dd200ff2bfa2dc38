// A workspace's webhook secrets: 32 random bytes, sealed under the key ring, shown once. Rotating makes a new one that
// signs at once, while the old one goes on signing beside it (24 hours unless told otherwise), so that a receiver with
// either of them verifies every delivery. A workspace that never asked for one is given one with its first delivery:
// whatever leaves us is signed.
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
  // Null: the current one.
  readonly signsUntil: Date | null;
}

export interface Acting {
  readonly actor: AuditActor;
  readonly requestId?: RequestId;
}

export interface WebhookSecrets {
  list(workspaceId: WorkspaceId): Promise<readonly WebhookSecret[]>;
  // The new one, and its text for this one time.
  rotate(
    request: { readonly workspaceId: WorkspaceId; readonly overlapSeconds?: number | undefined },
    acting: Acting,
  ): Promise<WebhookSecret & { readonly text: string }>;
  // What signs now, the newest first; never empty. Kept for five seconds, so a rotation is everywhere within that.
  signing(workspaceId: WorkspaceId): Promise<readonly Buffer[]>;
  // The same as texts, to be searched for; the same array as long as they are kept.
  texts(workspaceId: WorkspaceId): Promise<readonly string[]>;
  // After a rotation of the key ring; how many were sealed anew.
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
        // Rotations of one workspace come one after another.
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
  if (opened === null) throw new Error(`The webhook secret ${stored.id} does not open under this key ring.`);
  return opened;
}

function withoutSecret({ id, createdAt, signsUntil }: StoredSecret): WebhookSecret {
  return { id, createdAt, signsUntil };
}
