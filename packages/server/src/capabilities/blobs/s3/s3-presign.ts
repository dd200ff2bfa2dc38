// An address at the store itself, for one object and one method, valid for some seconds: AWS Signature Version 4 in the
// query. The response headers are signed too, so no one can request the bytes under another type or disposition.
import { algorithm, signingScope, signS3 } from "../../../foundation/http/outgoing/s3-signature.ts";
import type { S3Address, S3Credentials } from "./s3-client.ts";

// How the store should answer if bytes are read there and not through us.
export interface DirectRead {
  readonly method: "GET" | "HEAD";
  // How long the address works.
  readonly seconds: number;
  readonly contentType: string;
  readonly contentDisposition: string;
  readonly cacheControl: string;
}

export interface Presigning {
  readonly url: URL;
  readonly read: DirectRead;
  readonly credentials: S3Credentials;
  readonly region: string;
  readonly at: Date;
}

// The origin of all these addresses. Null if the settings do not determine it.
export function directOrigin(address: S3Address): string | null {
  const isKnown = address.publicEndpoint !== null || address.endpoint !== null || address.region !== null;
  return isKnown ? publicUrl(address, address.region ?? "", "").origin : null;
}

// Where others find an object. Keys need no escaping (blob-address.ts).
export function publicUrl(
  { bucket, endpoint, publicEndpoint, pathStyle }: S3Address,
  region: string,
  key: string,
): URL {
  const store = new URL(publicEndpoint ?? endpoint ?? `https://s3.${region}.amazonaws.com`);
  return new URL(`${store.protocol}//${pathStyle ? `${store.host}/${bucket}` : `${bucket}.${store.host}`}/${key}`);
}

export function presign({ url, read, credentials, region, at }: Presigning): string {
  const scope = signingScope(at, region);
  const query = Object.entries({
    "X-Amz-Algorithm": algorithm,
    "X-Amz-Credential": `${credentials.accessKeyId}/${scope.scope}`,
    "X-Amz-Date": scope.time,
    "X-Amz-Expires": String(read.seconds),
    "X-Amz-SignedHeaders": "host",
    ...(credentials.sessionToken === undefined ? {} : { "X-Amz-Security-Token": credentials.sessionToken }),
    "response-cache-control": read.cacheControl,
    "response-content-disposition": read.contentDisposition,
    "response-content-type": read.contentType,
  })
    .map(([name, value]) => `${name}=${escaped(value)}`)
    .sort()
    .join("&");
  const { signature } = signS3({ method: read.method, url, query, headers: {} }, scope, credentials.secretAccessKey);
  return `${url.href}?${query}&X-Amz-Signature=${signature}`;
}

const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
