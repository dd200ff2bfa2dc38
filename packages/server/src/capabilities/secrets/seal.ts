// Sealing: data that only we may read (webhook secrets, partner credentials) is stored under AES-256-GCM. An envelope
// names its key and is bound to its use and its row: copied to another row, altered by one bit or opened for another use,
// it does not open. Each use has its own key, derived from the ring's seal key.
//
//   v1.<key id>.<base64url of nonce ‖ ciphertext ‖ tag>
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { attempt } from "../../foundation/retry.ts";
import type { KeyRing } from "./key-ring.ts";

const version = "v1";
const nonceBytes = 12;
const tagBytes = 16;

// What is sealed, for example `webhook-secret`, and where it is stored, for example the row's id.
export interface SealContext {
  readonly use: string;
  readonly associatedData: string;
}

export interface Sealer {
  seal(context: SealContext, plaintext: Uint8Array | string): string;
  // Null for anything that we did not seal in this context.
  open(context: SealContext, envelope: string): Buffer | null;
  // After a rotation: the same data under the current key. Returns the envelope itself if it already is; null like
  // `open`.
  reseal(context: SealContext, envelope: string): string | null;
}

export function createSealer(ring: KeyRing): Sealer {
  function seal(context: SealContext, plaintext: Uint8Array | string): string {
    const key = ring.current("seal");
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", keyFor(key.secret, context.use), nonce, { authTagLength: tagBytes });
    cipher.setAAD(boundData(key.id, context));
    const sealed = Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
    return `${version}.${key.id}.${sealed.toString("base64url")}`;
  }

  function open(context: SealContext, envelope: string): Buffer | null {
    const parts = split(envelope);
    const key = parts && ring.verifying("seal").find(({ id }) => id === parts.keyId);
    if (!parts || !key) return null;
    const cipherKey = keyFor(key.secret, context.use);
    const decipher = createDecipheriv("aes-256-gcm", cipherKey, parts.nonce, { authTagLength: tagBytes });
    decipher.setAAD(boundData(key.id, context));
    decipher.setAuthTag(parts.tag);
    return attempt(() => Buffer.concat([decipher.update(parts.ciphertext), decipher.final()]), null);
  }

  return {
    seal,
    open,
    reseal(context, envelope) {
      const plaintext = open(context, envelope);
      if (plaintext === null) return null;
      return keyIdOf(envelope) === ring.current("seal").id ? envelope : seal(context, plaintext);
    },
  };
}

// The key that sealed an envelope, so that a store can find those that need resealing.
export function keyIdOf(envelope: string): string | null {
  return split(envelope)?.keyId ?? null;
}

function split(envelope: string) {
  const [first, keyId, encoded, ...rest] = envelope.split(".");
  if (first !== version || keyId === undefined || encoded === undefined || rest.length > 0) return null;
  const bytes = Buffer.from(encoded, "base64url");
  // Only one spelling: lenient decoding would let several texts open as the same envelope.
  if (bytes.length < nonceBytes + tagBytes || bytes.toString("base64url") !== encoded) return null;
  return {
    keyId,
    nonce: bytes.subarray(0, nonceBytes),
    ciphertext: bytes.subarray(nonceBytes, -tagBytes),
    tag: bytes.subarray(-tagBytes),
  };
}

function keyFor(secret: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `atelier seal\n${use}`, 32));
}

// JSON keeps the three parts apart, no matter what they contain.
function boundData(keyId: string, context: SealContext): Buffer {
  return Buffer.from(JSON.stringify([version, keyId, context.use, context.associatedData]));
}
