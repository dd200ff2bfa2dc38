// AWS Signature Version 4 for S3, over a body that is not known beforehand (UNSIGNED-PAYLOAD): https protects it. We sign
// ourselves because these requests go through the guarded client or a browser, and not through an SDK. The caller decides
// whether the signature goes into a header or the query.
import { createHash, createHmac } from "node:crypto";

export const algorithm = "AWS4-HMAC-SHA256";
export const unsignedPayload = "UNSIGNED-PAYLOAD";

// When and where a signature is valid, as written into the request.
export interface SigningScope {
  readonly time: string;
  readonly scope: string;
}

export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  // Already sorted and escaped. Empty if there is none.
  readonly query: string;
  // All signed headers in lower case, except the host, which is always signed.
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
