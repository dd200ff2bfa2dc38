// ATELIER_CONTENT_REDIRECT: redirects callers to the store's own URLs, so user-made content is served from the store's origin.
// That origin must meet the requirements for the content origin (decisions/0011), and the console's pages may show content from
// it.

import { UsageProblem } from "../../foundation/settings.ts";
import { parseBlobAddress } from "./blob-address.ts";
import { directOrigin } from "./s3/s3-presign.ts";

interface Redirecting
  extends Readonly<Record<"blobs" | "contentUrl" | "baseUrl" | "platformUrl" | "cloudUrl", string | null>> {
  readonly contentRedirect: boolean;
}

// Null if everything is served from here. Throws if the store cannot serve callers directly.
export function storeOrigin(config: Redirecting): string | null {
  if (!config.contentRedirect) return null;
  const parsed = parseBlobAddress(config.blobs ?? "file:.");
  if ("problem" in parsed) throw new UsageProblem([`ATELIER_BLOBS ${parsed.problem}`]);
  if (parsed.address.kind !== "s3") throw refused("needs ATELIER_BLOBS on S3");
  const origin = directOrigin(parsed.address.s3);
  if (origin === null) throw refused("needs the store's location: set region=… or endpoint=… in ATELIER_BLOBS");
  const { protocol, hostname } = new URL(origin);
  // User-made content must not be served from the host of the API or the console, by any route.
  const own = [config.baseUrl, config.platformUrl, config.cloudUrl];
  if (own.some((url) => url !== null && new URL(url).hostname === hostname))
    throw refused(
      `would redirect to ${hostname}, which is the API's own host: set another with public-endpoint=… in ATELIER_BLOBS`,
    );
  if (config.contentUrl?.startsWith("https:") && protocol !== "https:")
    throw refused(
      "would redirect from https to http: set the store's https address with public-endpoint=https://… in ATELIER_BLOBS",
    );
  return origin;
}

const refused = (why: string) => new UsageProblem([`ATELIER_CONTENT_REDIRECT ${why}.`]);
