// Streams one archive from the upstream registry into our blob store. If we know what the bytes must be, we compare: with
// the first copy, else with the hash upstream gives for the version, else with the strong ETag that a registry like ours
// sends. Different bytes under a published number are refused and not stored.
import type { NodeVersion } from "@atelier/contract";
import type { Database } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { GuardedAnswer, GuardedClient } from "../../../foundation/http/outgoing/guarded-client.ts";
import type { Blobs } from "../../blobs/index.ts";
import type { StoredArchive } from "../versions/stored-version.ts";
import { putKept, type StoredCopy, type UpstreamVersionId } from "./upstream-archive-store.ts";

export interface BringArchiveDeps {
  readonly database: Database;
  readonly client: Pick<GuardedClient, "request">;
  readonly blobs: Pick<Blobs, "keep" | "hold" | "release">;
}

export type Brought =
  | { readonly kind: "kept"; readonly archive: StoredArchive }
  // Wrong bytes, or too many. Asking again will not help for a while.
  | { readonly kind: "refused"; readonly problem: string }
  | { readonly kind: "failed"; readonly problem: string };

export interface WantedArchive {
  readonly copy: Pick<StoredCopy, "id" | "archive">;
  readonly version: Pick<NodeVersion, "downloadUrl" | "archive_hash">;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

const totalMs = 30 * 60_000;

export async function bringArchive(deps: BringArchiveDeps, wanted: WantedArchive): Promise<Brought> {
  const { downloadUrl } = wanted.version;
  if (downloadUrl === undefined)
    return { kind: "failed", problem: "The upstream registry does not say where the archive is." };
  let kept: Extract<Brought, { kind: "kept" }> | null = null;
  const outcome = await deps.client.request({
    url: downloadUrl,
    method: "GET",
    totalMs,
    signal: wanted.signal,
    async receive(answer) {
      if (answer.status === 200) kept = await keep(deps, wanted, answer);
    },
  });
  if (kept !== null) return kept;
  if (outcome.kind === "answered")
    return { kind: "failed", problem: `The upstream registry answered ${outcome.status}.` };
  if (outcome.kind === "refused") return { kind: "failed", problem: `The address is not allowed: ${outcome.reason}.` };
  const { cause, reason } = outcome;
  if (cause instanceof Fault && cause.code === "hash_mismatch") {
    return { kind: "refused", problem: "The bytes do not match this version's hash." };
  }
  if (cause instanceof Fault && cause.status === 413) return { kind: "refused", problem: "The archive is too large." };
  return { kind: "failed", problem: cause instanceof Fault ? cause.message : `The transfer was ${reason}.` };
}

async function keep(deps: BringArchiveDeps, { copy, version, bytesMax, signal }: WantedArchive, answer: GuardedAnswer) {
  const expectedHash = copy.archive?.hash ?? hashIn(version.archive_hash) ?? parseHash(answer.headers["etag"]);
  const archive = await deps.blobs.keep(answer.body, {
    bytesMax,
    signal,
    ...(expectedHash === null ? {} : { expectedHash }),
    async commit(tx, { hash, size }) {
      await deps.blobs.hold(tx, hash, copyHolder(copy.id));
      await putKept(tx, { id: copy.id, hash, size });
      return { hash, size };
    },
  });
  return { kind: "kept", archive } as const;
}

export function copyHolder(id: UpstreamVersionId) {
  return { kind: "upstream-archive", id };
}

function hashIn(text: string | undefined): string | null {
  return /^blake3:([0-9a-f]{64})$/.exec(text ?? "")?.[1] ?? null;
}

// Our ETags are the hash of the bytes. Those of other registries are opaque.
export function parseHash(etag: string | readonly string[] | undefined): string | null {
  return typeof etag === "string" ? (/^"([0-9a-f]{64})"$/.exec(etag)?.[1] ?? null) : null;
}
