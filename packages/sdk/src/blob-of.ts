// Bytes in whatever form they come, as a blob. Shared memory is copied by the platform; its types only know the other.
export function blobOf(source: Blob | Uint8Array | ArrayBuffer): Blob {
  return source instanceof Blob ? source : new Blob([source as Uint8Array<ArrayBuffer> | ArrayBuffer]);
}
