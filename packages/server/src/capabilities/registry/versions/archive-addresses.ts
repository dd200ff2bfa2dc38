// The addresses where archives are uploaded and downloaded, on the content origin. The upload address is signed; the
// signature does not cover the content type, because tools send different ones. Versions that everybody may install have
// a plain download address, which mirrors and caches can keep; all others need a signed one. An address is accepted only
// in the exact spelling in which it was issued.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../../foundation/clock.ts";
import { parseId } from "../../../foundation/ids.ts";
import type { KeyRing } from "../../secrets/index.ts";
import type { StoredVersion, VersionId } from "./stored-version.ts";

export interface SignedLocation {
  readonly path: string;
  readonly queryText: string;
}

export interface ArchiveAddresses {
  upload(id: VersionId): string;
  plain(id: VersionId): string;
  signed(id: VersionId): string;
  // Null if there is none, or this reader may not have it.
  download(version: StoredVersion): string | null;
  // Which version may be uploaded here. Null if the address is not valid or has expired.
  readUpload(location: SignedLocation): VersionId | null;
  // Null if it cannot be the address of a version.
  readDownload(location: SignedLocation): { readonly id: VersionId; readonly isSigned: boolean } | null;
}

export interface ArchiveAddressesDeps {
  readonly keyRing: KeyRing;
  readonly clock: Pick<Clock, "now">;
  readonly contentUrl: () => string;
}

const purpose = "node-archive";
const daySeconds = 24 * 3600;
// Repeated reads within a step give the same address.
const stepSeconds = 600;
const uploadPrefix = "/c/uploads/";
const downloadPrefix = "/c/archives/";
const queryPattern = /^e=([1-9]\d{9})&k=([A-Za-z0-9_-]{1,64})&s=([A-Za-z0-9_-]{43})$/;

export function createArchiveAddresses({ keyRing, clock, contentUrl }: ArchiveAddressesDeps): ArchiveAddresses {
  const nowSeconds = () => clock.now().getTime() / 1000;

  function sign(path: string): string {
    const { id: keyId, secret } = keyRing.current(purpose);
    const expirySeconds = Math.floor((nowSeconds() + daySeconds) / stepSeconds) * stepSeconds;
    const signature = signatureOf(secret, path, expirySeconds, keyId).toString("base64url");
    return `${contentUrl()}${path}?e=${expirySeconds}&k=${keyId}&s=${signature}`;
  }

  function isSigned({ path, queryText }: SignedLocation): boolean {
    const [, expiry, keyId, signature = ""] = queryPattern.exec(queryText) ?? [];
    const key = keyRing.verifying(purpose).find(({ id }) => id === keyId);
    const given = Buffer.from(signature, "base64url");
    if (!key || given.length !== 32 || given.toString("base64url") !== signature) return false;
    if (!timingSafeEqual(given, signatureOf(key.secret, path, Number(expiry), key.id))) return false;
    return Number(expiry) > nowSeconds();
  }

  const plain = (id: VersionId) => `${contentUrl()}${downloadPrefix}${id}`;
  const signed = (id: VersionId) => sign(`${downloadPrefix}${id}`);
  return {
    upload: (id) => sign(`${uploadPrefix}${id}`),
    plain,
    signed,
    download(version) {
      if (version.archive === null || version.status === "NodeVersionStatusDeleted") return null;
      if (isForEverybody(version)) return plain(version.id);
      const isReadable = version.isOwn || (version.status === "NodeVersionStatusActive" && version.visibleTo !== null);
      return isReadable ? signed(version.id) : null;
    },
    readUpload(location) {
      const id = idIn(location.path, uploadPrefix);
      return id !== null && isSigned(location) ? id : null;
    },
    readDownload(location) {
      const id = idIn(location.path, downloadPrefix);
      return id === null ? null : { id, isSigned: isSigned(location) };
    },
  };
}

// Active versions of active nodes that everybody may see need no signature.
export function isForEverybody(version: Pick<StoredVersion, "status" | "nodeStatus" | "visibleTo">): boolean {
  return (
    version.status === "NodeVersionStatusActive" &&
    version.nodeStatus === "NodeStatusActive" &&
    version.visibleTo === null
  );
}

function idIn(path: string, prefix: string): VersionId | null {
  return path.startsWith(prefix) ? parseId<"node-version">(path.slice(prefix.length)) : null;
}

// The path tells uploads from downloads.
function signatureOf(secret: Buffer, path: string, expirySeconds: number, keyId: string): Buffer {
  return createHmac("sha256", secret)
    .update(["v1", path, String(expirySeconds), keyId].join("\n"))
    .digest();
}
