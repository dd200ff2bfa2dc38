// Parses one byte range (RFC 9110, 14.2). Anything but exactly one well-formed byte range is ignored and the whole file
// is served, so a thousand small ranges cost no more than a request without any.
export interface ByteRange {
  readonly start: number;
  // Inclusive.
  readonly end: number;
}

// Any number of digits: a position beyond 2^53 is beyond the bytes anyway.
const rangePattern = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

export function readRange(header: string | undefined, size: number): ByteRange | "whole" | "unsatisfiable" {
  const [, first, last] = (header !== undefined && rangePattern.exec(header)) || [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return "whole";
  if (first === "") {
    const count = Math.min(Number(last), size);
    return count === 0 ? "unsatisfiable" : { start: size - count, end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return "whole";
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}
