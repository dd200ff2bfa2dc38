// A blob's name: the 64 lower-case hexadecimal digits of its BLAKE3 hash, and nothing else. Whatever becomes part of a
// path or a key passes here first, so no name that a caller chose ever reaches a file system.
const hashPattern = /^[0-9a-f]{64}$/;

export function isBlobHash(text: string): boolean {
  return text.length === 64 && hashPattern.test(text);
}

export function requireBlobHash(text: string): string {
  if (!isBlobHash(text)) throw new Error("A blob is named by the 64 hexadecimal digits of its BLAKE3 hash.");
  return text;
}

// ab/cd/<hash>: where an object store shares out its work by the beginning of a key.
export function blobPath(hash: string): string {
  requireBlobHash(hash);
  return `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
}
