// The operator chose the issuer, so it may be on any network. We still follow no redirects, and enforce limits on size and time.
import type { AskIssuer } from "./issuer-documents.ts";

export const askIssuer: AskIssuer = async ({ url, method, headers, body, bytesMax, timeoutMs }) => {
  const answer = await fetch(url, {
    method,
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  });
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    if (bytes > bytesMax) throw new Error(`The answer has more than ${bytesMax} bytes.`);
    parts.push(part);
  }
  return { status: answer.status, body: Buffer.concat(parts) };
};
