// Wraps bytes of any form in a Blob. The platform copies shared memory, but its types only accept the unshared kind.
export function blobOf(source: Blob | Uint8Array | ArrayBuffer): Blob {
  return source instanceof Blob ? source : new Blob([source as Uint8Array<ArrayBuffer> | ArrayBuffer]);
}
