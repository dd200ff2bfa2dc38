// A blob's name: the 64 lower-case hexadecimal digits of its BLAKE3 hash, and nothing else. Everything that becomes part
// of a path or a key is checked here first, so no name chosen by a caller ever reaches a file system.
const hashPattern = /^[0-9a-f]{64}$/;

export function isBlobHash(text: string): boolean {
  return text.length === 64 && hashPattern.test(text);
}

export function requireBlobHash(text: string): string {
  if (!isBlobHash(text)) throw new Error("A blob's name must be the 64 hexadecimal digits of its BLAKE3 hash.");
  return text;
}

// ab/cd/<hash>: object stores distribute their load by key prefix.
export function blobPath(hash: string): string {
  requireBlobHash(hash);
  return `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
}
