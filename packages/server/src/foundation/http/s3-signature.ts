// AWS Signature Version 4 for S3, over bytes that are not known beforehand (UNSIGNED-PAYLOAD): https protects them. Written
// here, because these requests go through the guarded client or through a browser, and not through an SDK's own. Where the
// signature is put, into a header or into the query, is the caller's matter.
import { createHash, createHmac } from "node:crypto";

export const algorithm = "AWS4-HMAC-SHA256";
export const unsignedPayload = "UNSIGNED-PAYLOAD";

// When and where a signature is valid, as it is written into the request.
export interface SigningScope {
  readonly time: string;
  readonly scope: string;
}

export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  // Sorted and escaped already; empty: none.
  readonly query: string;
  // Everything that is signed, in small letters, without the host, which always is.
  readonly headers: Readonly<Record<string, string>>;
}

export function signingScope(at: Date, region: string): SigningScope {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, "");
  return { time, scope: `${time.slice(0, 8)}/${region}/s3/aws4_request` };
}

export function signS3(
  { method, url, query, headers }: SignedRequest,
  { time, scope }: SigningScope,
  secretAccessKey: string,
): { readonly signature: string; readonly signedHeaders: string } {
  const signed = Object.entries({ ...headers, host: url.host }).sort(([one], [other]) => (one < other ? -1 : 1));
  const signedHeaders = signed.map(([name]) => name).join(";");
  const lines = signed.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, " ")}`);
  const canonical = [method, url.pathname, query, ...lines, "", signedHeaders, unsignedPayload].join("\n");
  const text = [algorithm, time, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
  const key = scope.split("/").reduce(mac, Buffer.from(`AWS4${secretAccessKey}`));
  return { signature: mac(key, text).toString("hex"), signedHeaders };
}

const mac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
