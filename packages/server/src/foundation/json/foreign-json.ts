import { attempt } from "../retry.ts";

// Reads other servers' answers for what we need from them. We forward their bytes unchanged, so we refuse nothing that a reader
// can make sense of: the last of two equal keys counts, as for nearly every reader; a number beyond a double is infinite; half
// surrogate pairs, invalid UTF-8, a byte order mark and any depth are accepted. Undefined if this is not JSON.
export function readForeignJson(bytes: Buffer): unknown {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return jsonOrUndefined(bytes.toString("utf8", hasMark ? 3 : 0));
}

// The runtime's parser for texts that may be anything. Undefined if this is not JSON.
export function jsonOrUndefined(text: string | Buffer): unknown {
  return attempt<unknown, undefined>(() => JSON.parse(text.toString()), undefined);
}
