// A signing secret at rest: 32 random bytes, sealed under the key ring, for the workspace and the row they are in.
import { randomBytes } from "node:crypto";
import { type Id, newId, type WorkspaceId } from "../../foundation/ids.ts";
import type { Sealer } from "../secrets/index.ts";
import { secretText } from "./sign-delivery.ts";

export type WebhookSecretId = Id<"webhook-secret">;

export interface StoredSecret {
  readonly id: WebhookSecretId;
  readonly sealed: string;
  readonly createdAt: Date;
  // Null for the current one.
  readonly signsUntil: Date | null;
}

export interface NewSecret {
  readonly id: WebhookSecretId;
  readonly workspaceId: WorkspaceId;
  readonly sealed: string;
  readonly at: Date;
}

const secretBytes = 32;

export const sealContextOf = (workspaceId: WorkspaceId, id: WebhookSecretId) => ({
  use: "webhook-secret",
  associatedData: `${workspaceId} ${id}`,
});

export function makeSecret(
  sealer: Sealer,
  workspaceId: WorkspaceId,
  at: Date,
): { readonly row: NewSecret; readonly text: string } {
  const id: WebhookSecretId = newId<"webhook-secret">(at.getTime());
  const secret = randomBytes(secretBytes);
  return {
    row: { id, workspaceId, sealed: sealer.seal(sealContextOf(workspaceId, id), secret), at },
    text: secretText(secret),
  };
}

export function openSecret(
  sealer: Sealer,
  workspaceId: WorkspaceId,
  stored: Pick<StoredSecret, "id" | "sealed">,
): Buffer {
  const opened = sealer.open(sealContextOf(workspaceId, stored.id), stored.sealed);
  if (opened === null) throw new Error(`The webhook secret ${stored.id} cannot be decrypted with this key ring.`);
  return opened;
}
