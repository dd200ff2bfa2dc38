// The tool name of a work. Clients allow letters, digits, _ and - only, and some no more than 64 characters. In an id, a single
// separator is always between letters or digits, so doubled ones can mean / and . : w.acme/light-house.v3 is
// work_acme__light-house--v3. A longer name is cut and ends in a hash; then only the catalog says which work it is.
import { createHash } from "node:crypto";

const prefix = "work_";
const lengthMax = 64;
const hashLength = 16;
const hashMark = "___";

export const isWorkId = (id: string): boolean => /^w[.][^/]+[/]/.test(id);

export const isWorkTool = (name: string): boolean =>
  name.startsWith(prefix) && name.slice(prefix.length).includes("__");

export function toolOfWork(id: string): string {
  const whole = `${prefix}${id.replace(/^w[.]/, "").replaceAll(".", "--").replaceAll("/", "__")}`;
  if (whole.length <= lengthMax) return whole;
  const hash = createHash("sha256").update(id).digest("hex").slice(0, hashLength);
  const start = whole.slice(0, lengthMax - hashLength - hashMark.length).replace(/[_-]+$/, "");
  return `${start}${hashMark}${hash}`;
}

// Null if the name was cut.
export function workOfTool(name: string): string | null {
  if (name.includes(hashMark)) return null;
  return `w.${name.slice(prefix.length).replaceAll("--", ".").replaceAll("__", "/")}`;
}
