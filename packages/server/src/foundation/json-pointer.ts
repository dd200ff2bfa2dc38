// JSON pointers (RFC 6901): "/seeds/0" names what a document holds there. A name is escaped where it holds "~" or "/".
export function pointerSegment(name: string): string {
  return name.includes("~") || name.includes("/") ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}

// From the outermost on; none for the document itself.
export function namesInPointer(pointer: string): string[] {
  const names = pointer.split("/").slice(1);
  return pointer.includes("~") ? names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~")) : names;
}
