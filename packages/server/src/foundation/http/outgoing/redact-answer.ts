// Removes the secrets we sent from an answer's body and headers, before anything reads it.
import { createRedaction, credentialParts, type Redaction } from "../../redaction.ts";
import type { UpstreamOutcome } from "./upstream-outcome.ts";

export async function redactAnswer(sent: UpstreamOutcome, redaction: Redaction): Promise<UpstreamOutcome> {
  if (sent.kind !== "answered") return sent;
  const found = redaction.bytes(sent.body);
  const plain = found instanceof Promise ? await found : found;
  const isStream = /^\s*text\/event-stream/i.test(String(sent.headers["content-type"] ?? ""));
  const body = isStream ? eventsWithoutEscaped(plain, redaction) : withoutEscaped(plain, redaction);
  const headers = Object.fromEntries(
    Object.entries(sent.headers).map(([name, value]) => [
      name,
      typeof value === "string" ? redaction.text(value) : value?.map((one) => redaction.text(one)),
    ]),
  );
  return { ...sent, body, headers };
}

// The same for complete lines of an event stream, so that a caller who reads along gets what is recorded.
export function redactLines(lines: Buffer, redaction: Redaction): Buffer | Promise<Buffer> {
  const found = redaction.bytes(lines);
  return found instanceof Promise
    ? found.then((plain) => eventsWithoutEscaped(plain, redaction))
    : eventsWithoutEscaped(found, redaction);
}

export function credentialRedaction(given: Iterable<string>): Redaction {
  return createRedaction([...given].flatMap((value) => [...credentialParts(value)]));
}

const escapedBytesMax = 256 * 1024;

// JSON can escape any character by its number, which a search of the bytes would miss. So small bodies with escapes of plain
// letters are parsed, and rewritten only if they contain a secret.
function withoutEscaped(body: Buffer, redaction: Redaction): Buffer {
  if (body.byteLength > escapedBytesMax || !body.includes("\\u00")) return body;
  try {
    const read = JSON.stringify(JSON.parse(body.toString("utf8")));
    const clean = redaction.text(read);
    return clean === read ? body : Buffer.from(clean);
  } catch {
    return body;
  }
}

// Events carry a JSON text in each data line.
function eventsWithoutEscaped(bytes: Buffer, redaction: Redaction): Buffer {
  if (!bytes.includes("\\u00")) return bytes;
  let isChanged = false;
  const lines = bytes
    .toString("latin1")
    .split("\n")
    .map((line) => {
      const [, head = "", json = "", end = ""] = /^(data: ?)(.*?)(\r?)$/.exec(line) ?? [];
      if (!json.includes("\\u00")) return line;
      const given = Buffer.from(json, "latin1");
      const clean = withoutEscaped(given, redaction);
      isChanged ||= clean !== given;
      return clean === given ? line : `${head}${clean.toString("latin1")}${end}`;
    });
  return isChanged ? Buffer.from(lines.join("\n"), "latin1") : bytes;
}
