// Answers of others, read for what we need of them. Their bytes pass as they are, so nothing is refused here that a reader
// can make sense of: of two equal keys the last one counts, as for nearly every reader; a number beyond a double is
// infinite; halves of surrogate pairs, bytes that are no UTF-8, a byte order mark and any depth are taken as they come.
// Undefined: this is no JSON.
export function readForeignJson(bytes: Buffer): unknown {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  try {
    return JSON.parse(bytes.toString("utf8", hasMark ? 3 : 0));
  } catch {
    return undefined;
  }
}
