// Removes the secrets we sent from an answer's body and headers, before anything reads it.
import { createRedaction, credentialParts, type Redaction } from "../../redaction.ts";
import type { UpstreamOutcome } from "./upstream-outcome.ts";

export async function redactAnswer(sent: UpstreamOutcome, redaction: Redaction): Promise<UpstreamOutcome> {
  if (sent.kind !== "answered") return sent;
  const found = redaction.bytes(sent.body);
  const body = withoutEscaped(found instanceof Promise ? await found : found, redaction);
  const headers = Object.fromEntries(
    Object.entries(sent.headers).map(([name, value]) => [
      name,
      typeof value === "string" ? redaction.text(value) : value?.map((one) => redaction.text(one)),
    ]),
  );
  return { ...sent, body, headers };
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
