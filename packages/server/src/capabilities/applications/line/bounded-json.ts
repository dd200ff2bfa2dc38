// Parses untrusted JSON. A few megabytes of brackets can become gigabytes of empty lists and minutes without a heartbeat,
// so a document with more values than anything real is refused before it is parsed.
import { readExactJson } from "../../../foundation/json/exact-json.ts";

// A queue of hundreds of large graphs, or all classes of a well-filled machine, has a tenth of that.
export const valuesMax = 4_000_000;

// Throws if it is not JSON or has too many values.
export function boundedJson(body: Buffer, most = valuesMax): unknown {
  return JSON.parse(boundedText(body, most));
}

// The same with integers beyond 2^53 as bigints.
export function boundedExactJson(body: Buffer, most = valuesMax): unknown {
  return readExactJson(boundedText(body, most));
}

function boundedText(body: Buffer, most: number): string {
  if (holdsMore(body, most)) throw new RangeError("The JSON is too large.");
  return body.toString("utf8");
}

const [quote, backslash, comma, openBrace, openBracket] = [0x22, 0x5c, 0x2c, 0x7b, 0x5b];

// Every value but the first follows a comma or an opening bracket.
function holdsMore(body: Buffer, most: number): boolean {
  if (body.length <= most) return false;
  let values = 0;
  let isText = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (isText) {
      if (byte === backslash) at++;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if ((byte === comma || byte === openBrace || byte === openBracket) && ++values > most) return true;
  }
  return false;
}
