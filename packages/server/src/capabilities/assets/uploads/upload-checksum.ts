// The checksum of one request's bytes (tus 1.0.0, checksum): the request counts whole or not at all.
import { createHash } from "node:crypto";
import { Fault } from "../../../foundation/fault.ts";

// The protocol requires sha1; the others are common.
export const checksumAlgorithms = ["sha1", "sha256", "sha512", "md5"] as const;

export interface Checksum {
  update(bytes: Uint8Array): void;
  // Checks all bytes so far. Throws hash_mismatch.
  require(): void;
}

const checksumPattern = /^([a-z0-9]+) ([A-Za-z0-9+/]+={0,2})$/;

// Parses Upload-Checksum: the algorithm and the digest in base64. Throws invalid_request.
export function readChecksum(header: string): Checksum {
  const [, name, expected] = checksumPattern.exec(header.trim()) ?? [];
  const algorithm = checksumAlgorithms.find((one) => one === name);
  if (name === undefined || expected === undefined)
    throw new Fault("invalid_request", "Upload-Checksum must be an algorithm followed by a base64 digest.");
  if (algorithm === undefined)
    throw new Fault("invalid_request", `Upload-Checksum must use one of ${checksumAlgorithms.join(", ")}.`);
  const hash = createHash(algorithm);
  return {
    update: (bytes) => void hash.update(bytes),
    require() {
      // Digests a copy, so that it can be checked again.
      if (hash.copy().digest().equals(Buffer.from(expected, "base64"))) return;
      throw new Fault("hash_mismatch", "The bytes do not match Upload-Checksum; none of them were stored.");
    },
  };
}
