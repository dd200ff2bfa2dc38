// Validates the name of an asset: a bare name or a path below a root, as applications use it
// (`models/checkpoints/x.safetensors`). We store it and hand it back, and never use it in a path of this server. We still
// refuse names that could mislead a client that writes files by them.
import { Fault } from "../../foundation/fault.ts";

const pathBytesMax = 1024;
const segmentBytesMax = 255;
// Control characters, non-characters, and the marks that make a name read backwards.
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffd]/u;

// `field` is the caller's name for it.
export function requireFilePath(path: string, field = "file_path"): string {
  const problem = problemOf(path);
  if (problem === null) return path;
  throw new Fault("validation_failed", `${field} ${problem}.`, { details: { field } });
}

function problemOf(path: string): string | null {
  if (path === "") return "is empty";
  if (Buffer.byteLength(path) > pathBytesMax) return `is longer than ${pathBytesMax} bytes`;
  if (unprintable.test(path)) return "contains a character that is not allowed in a file name";
  if (path.includes("\\")) return "contains a backslash";
  if (/^[A-Za-z]:/.test(path)) return "begins with a drive letter";
  for (const segment of path.split("/")) {
    if (segment === "") return "begins or ends with a slash, or repeats one";
    if (/^\.+$/.test(segment)) return "points outside its folder";
    if (segment.trim() !== segment) return "has a space at the beginning or end of a name";
    if (Buffer.byteLength(segment) > segmentBytesMax) return `has a name longer than ${segmentBytesMax} bytes`;
  }
  return null;
}

export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
