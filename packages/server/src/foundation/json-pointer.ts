// JSON pointers (RFC 6901): "/seeds/0" names a value in a document. "~" and "/" in a name are escaped.
export function pointerSegment(name: string): string {
  return name.includes("~") || name.includes("/") ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}

// From the outermost name inward. Empty for the document itself.
export function namesInPointer(pointer: string): string[] {
  const names = pointer.split("/").slice(1);
  return pointer.includes("~") ? names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~")) : names;
}
