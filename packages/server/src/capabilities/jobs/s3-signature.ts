// AWS Signature Version 4 of one PUT whose bytes are not known beforehand (UNSIGNED-PAYLOAD): the bytes are a stream, and
// https protects them. Written here, because the request must go through the guarded client and not through an SDK's own.
import { createHash, createHmac } from "node:crypto";

export interface S3Signing {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly at: Date;
}

const payload = "UNSIGNED-PAYLOAD";

// The headers to send, with the signature; `host` is the client's own and signed all the same.
export function signS3Put({
  url,
  headers,
  region,
  accessKeyId,
  secretAccessKey,
  at,
}: S3Signing): Record<string, string> {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const day = time.slice(0, 8);
  const sent = { ...headers, "x-amz-content-sha256": payload, "x-amz-date": time };
  const signed = Object.entries({ ...sent, host: url.host }).sort(([one], [other]) => (one < other ? -1 : 1));
  const names = signed.map(([name]) => name).join(";");
  const canonical = [
    "PUT",
    url.pathname,
    "",
    ...signed.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, " ")}`),
    "",
    names,
    payload,
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", time, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
  const key = ["s3", "aws4_request"].reduce(mac, mac(mac(Buffer.from(`AWS4${secretAccessKey}`), day), region));
  const signature = mac(key, text).toString("hex");
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

const mac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
