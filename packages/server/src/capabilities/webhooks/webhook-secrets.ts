// A workspace's webhook secrets: 32 random bytes, sealed under the key ring, shown once. Rotating creates a new one that
// signs immediately, while the old one keeps signing beside it (24 hours by default), so that a receiver with either of
// them can verify every delivery. A workspace that never asked for one gets one with its first delivery: everything we
// send is signed.
import type { Clock } from "../../foundation/clock.ts";
import type { Acting } from "../../foundation/database/acting.ts";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import type { Audit } from "../audit/index.ts";
import { lockWorkspace } from "../identity/shared-sql.ts";
import type { Sealer } from "../secrets/index.ts";
import type { EndpointId } from "./delivery.ts";
import {
  type EndpointSecret,
  forgetEndpointSecrets,
  listEndpointSealedByOthers,
  listEndpointSigning,
  replaceEndpointSealed,
} from "./endpoints/endpoint-secret-store.ts";
import { makeSecret, openSecret, type StoredSecret, sealContextOf, type WebhookSecretId } from "./sealed-secret.ts";
import {
  endSecrets,
  forgetSecrets,
  insertFirstSecret,
  listSealedByOthers,
  listSecrets,
  listSigningSecrets,
  replaceSealed,
} from "./secret-store.ts";

export interface WebhookSecret {
  readonly id: WebhookSecretId;
  readonly createdAt: Date;
  // Null for the current one.
  readonly signsUntil: Date | null;
}

export interface EndpointSigning {
  readonly isPaused: boolean;
  readonly secrets: readonly Buffer[];
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
  // The same for one of its endpoints. Null if there is no such endpoint.
  signingFor(workspaceId: WorkspaceId, endpointId: EndpointId): Promise<EndpointSigning | null>;
  // The next call reads again.
  forget(workspaceId: WorkspaceId): void;
  // All of the workspace and its endpoints as texts, for redaction. The same array while they are cached.
  texts(workspaceId: WorkspaceId): Promise<readonly string[]>;
  // After a rotation of the key ring. Returns how many were resealed.
  resealAll(currentKeyId: string): Promise<number>;
  // Deletes secrets that stopped signing before then.
  forgetEnded(before: Date): Promise<number>;
}

export interface WebhookSecretsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly audit: Pick<Audit, "append">;
}

interface Signing {
  readonly secrets: readonly Buffer[];
  readonly endpoints: ReadonlyMap<EndpointId, EndpointSigning>;
  readonly texts: readonly string[];
}

export const overlapSecondsDefault = 24 * 3600;
const resealMax = 1_000;
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
    const endpoints = endpointsOf(await listEndpointSigning(database, workspaceId, clock.now()), (secret) =>
      openSecret(sealer, workspaceId, secret),
    );
    const all = [...secrets, ...[...endpoints.values()].flatMap((endpoint) => endpoint.secrets)];
    return { secrets, endpoints, texts: all.map((secret) => secret.toString("base64")) };
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
    async signingFor(workspaceId, endpointId) {
      const known = (await kept.getOrLoad(workspaceId, readSigning)).endpoints.get(endpointId);
      if (known !== undefined) return known;
      // Another process may have just added it.
      kept.delete(workspaceId);
      return (await kept.getOrLoad(workspaceId, readSigning)).endpoints.get(endpointId) ?? null;
    },
    forget: (workspaceId) => kept.delete(workspaceId),
    texts: async (workspaceId) => (await kept.getOrLoad(workspaceId, readSigning)).texts,
    async resealAll(currentKeyId) {
      let count = 0;
      for (const { list, replace } of sealedIn) {
        for (const secret of await list(database, currentKeyId, resealMax)) {
          const sealed = sealer.reseal(sealContextOf(secret.workspaceId, secret.id), secret.sealed);
          if (sealed === null) continue;
          await replace(database, secret, sealed);
          count += 1;
        }
      }
      return count;
    },
    async forgetEnded(before) {
      return (await forgetSecrets(database, before)) + (await forgetEndpointSecrets(database, before));
    },
  };
}

const sealedIn = [
  { list: listSealedByOthers, replace: replaceSealed },
  { list: listEndpointSealedByOthers, replace: replaceEndpointSealed },
];

function endpointsOf(
  rows: readonly EndpointSecret[],
  open: (secret: EndpointSecret) => Buffer,
): ReadonlyMap<EndpointId, EndpointSigning> {
  return new Map(
    [...Map.groupBy(rows, ({ endpointId }) => endpointId)].map(([id, of]) => [
      id,
      { isPaused: of.some(({ isPaused }) => isPaused), secrets: of.map(open) },
    ]),
  );
}

function withoutSecret({ id, createdAt, signsUntil }: StoredSecret): WebhookSecret {
  return { id, createdAt, signsUntil };
}
