// Where the blobs are stored, as a one-line setting:
//   file:/var/lib/atelier/blobs
//   s3://bucket/prefix?endpoint=https://store.example&region=eu-1&path-style=1
//   …&public-endpoint=https://files.example if others reach the store by a different name
import { resolve } from "node:path";
import type { BlobStorage } from "./blob-storage.ts";
import { fileBlobStorage } from "./files/blob-storage.filesystem.ts";
import { flattenFolders } from "./files/file-layout.ts";
import { s3BlobStorage } from "./s3/blob-storage.s3.ts";
import type { S3Address, S3Credentials } from "./s3/s3-client.ts";

export type BlobAddress =
  | { readonly kind: "file"; readonly directory: string }
  | { readonly kind: "s3"; readonly s3: S3Address };

export type ParsedBlobAddress = { readonly address: BlobAddress } | { readonly problem: string };

export function parseBlobAddress(text: string): ParsedBlobAddress {
  if (text.startsWith("file:")) {
    const path = text.slice("file:".length).replace(/^\/\/(?=\/)/, "");
    if (path === "" || path.startsWith("//"))
      return { problem: "does not name a folder; use for example file:/srv/blobs" };
    return { address: { kind: "file", directory: resolve(path) } };
  }
  if (text.startsWith("s3://")) return parseS3(text);
  return { problem: "must be file:<folder> or s3://<bucket>/<prefix>" };
}

// Characters that need no escaping in a key or in a header that names a key.
const prefixPattern = /^[A-Za-z0-9._~/-]*$/;
const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const knownOptions = new Set(["endpoint", "public-endpoint", "region", "path-style"]);

function parseS3(text: string): ParsedBlobAddress {
  const url = URL.parse(text);
  if (!url || !bucketPattern.test(url.hostname))
    return { problem: "does not name a bucket; use s3://<bucket>/<prefix>" };
  if (url.username !== "" || url.password !== "")
    return { problem: "contains credentials; set them as settings instead" };
  const unknown = [...url.searchParams.keys()].find((name) => !knownOptions.has(name));
  if (unknown !== undefined) return { problem: `has the unknown option ${unknown}` };
  const endpoint = url.searchParams.get("endpoint");
  if (endpoint !== null && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? "")) {
    return { problem: "has an endpoint that is not an http or https URL" };
  }
  const publicEndpoint = url.searchParams.get("public-endpoint");
  if (publicEndpoint !== null && !isPlainOrigin(publicEndpoint))
    return { problem: "has a public-endpoint that is not a URL such as https://store.example" };
  const prefix = url.pathname.replace(/^\/+|\/+$/g, "");
  if (!prefixPattern.test(prefix))
    return { problem: "has a prefix with characters other than letters, digits and ._~-/" };
  const pathStyle = url.searchParams.get("path-style");
  if (pathStyle !== null && pathStyle !== "0" && pathStyle !== "1")
    return { problem: "has a path-style that is not 0 or 1" };
  return {
    address: {
      kind: "s3",
      s3: {
        bucket: url.hostname,
        prefix: prefix === "" ? "" : `${prefix}/`,
        endpoint,
        publicEndpoint,
        region: url.searchParams.get("region"),
        pathStyle: pathStyle === "1",
      },
    },
  };
}

// Addresses built from it are signed with host and path, so nothing may come before the bucket.
function isPlainOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && text.replace(/\/$/, "") === url.origin;
}

export interface OpenBlobStorage {
  readonly s3Credentials?: S3Credentials;
  // Whether clients may be redirected to the store for bytes.
  readonly isDirect?: boolean;
}

export async function openBlobStorage(address: BlobAddress, options: OpenBlobStorage = {}): Promise<BlobStorage> {
  if (address.kind === "file") {
    await flattenFolders(address.directory);
    return fileBlobStorage({ directory: address.directory });
  }
  const { s3Credentials: credentials, isDirect = false } = options;
  return s3BlobStorage({ address: address.s3, isDirect, ...(credentials ? { credentials } : {}) });
}
