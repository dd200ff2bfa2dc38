// Who made an export: an Ed25519 signature by a key of the server's ring. The public key goes with the export; an operator
// compares its fingerprint, so nothing has to be fetched from the other server.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";

export interface ExportSigner {
  // SHA-256 of the public key, 64 hexadecimal digits.
  readonly fingerprint: string;
  sign(bytes: Uint8Array): ExportSignature;
}

export interface ExportSignature {
  readonly algorithm: "ed25519";
  // Base64, both.
  readonly public_key: string;
  readonly signature: string;
}

// The DER prefix of a key's 32 bytes.
const privatePrefix = Buffer.from("302e020100300506032b657004220420", "hex");
const publicPrefix = Buffer.from("302a300506032b6570032100", "hex");
const keyBytes = 32;

export function exportSigner(seed: Uint8Array): ExportSigner {
  const key = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: "der", type: "pkcs8" });
  const spoken = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(publicPrefix.byteLength);
  return {
    fingerprint: fingerprintOf(spoken),
    sign: (bytes) => ({
      algorithm: "ed25519",
      public_key: spoken.toString("base64"),
      signature: sign(null, bytes, key).toString("base64"),
    }),
  };
}

// The fingerprint of the key that signed the bytes. Null if none did.
export function signedBy(bytes: Uint8Array, { public_key, signature }: ExportSignature): string | null {
  const spoken = Buffer.from(public_key, "base64");
  if (spoken.byteLength !== keyBytes) return null;
  const key = createPublicKey({ key: Buffer.concat([publicPrefix, spoken]), format: "der", type: "spki" });
  return verify(null, bytes, key, Buffer.from(signature, "base64")) ? fingerprintOf(spoken) : null;
}

function fingerprintOf(publicKey: Uint8Array): string {
  return createHash("sha256").update(publicKey).digest("hex");
}

// As people copy it: in any case, with or without blanks and colons between. Null if it is none.
export function parseFingerprint(text: string): string | null {
  const digits = text.replace(/[\s:]/g, "").toLowerCase();
  return /^[0-9a-f]{64}$/.test(digits) ? digits : null;
}
