// What a caller says about a file, field by field, the same for a form, a hash and a resumable upload. Each field is checked as
// it arrives, so that an invalid one is reported before gigabytes follow it.
import { limits } from "@atelier/contract";
import { type AssetInput, requireContentType, requireFilePath, tagsMax } from "../../../capabilities/assets/index.ts";
import { wrongField } from "../../../foundation/fault.ts";
import { hasAtMost } from "../../../foundation/json/characters.ts";

export interface AssetFields {
  // Unknown names are ignored. Throws validation_failed.
  take(name: string, value: string): void;
  // 64 hexadecimal digits, if they have arrived already.
  expectedHash(): string | null;
  // The name, if it has arrived already.
  filePath(): string | null;
  // Call after the last field. Throws validation_failed if something is missing.
  finish(): AssetInput & { readonly expectedHash: string | null };
}

interface Collected {
  contentType?: string;
  filePath?: string;
  expectedHash?: string;
  keepSeconds?: number;
}

export function collectAssetFields(): AssetFields {
  const collected: Collected = {};
  const tags: string[] = [];
  const taken = new Set<string>();

  const readers: Readonly<Record<string, (value: string) => void>> = {
    content_type: (value) => {
      collected.contentType = requireContentType(value);
    },
    file_path: (value) => {
      collected.filePath = requireFilePath(value);
    },
    expected_hash: (value) => {
      collected.expectedHash = requireHashText("expected_hash", value);
    },
    expires_in: (value) => {
      collected.keepSeconds = requireKeepSeconds(/^\d{1,9}$/.test(value) ? Number(value) : Number.NaN);
    },
    tags: (value) => {
      tags.push(requireTag(value));
      if (tags.length > tagsMax) throw wrongField("tags", `must be at most ${tagsMax}`);
    },
  };

  return {
    take(name, value) {
      const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
      if (read === undefined) return;
      if (name !== "tags" && taken.has(name)) throw wrongField(name, "came twice");
      taken.add(name);
      read(value);
    },
    expectedHash: () => collected.expectedHash ?? null,
    filePath: () => collected.filePath ?? null,
    finish() {
      const { contentType, filePath, expectedHash = null, keepSeconds = null } = collected;
      if (contentType === undefined) throw wrongField("content_type", "is missing");
      if (filePath === undefined) throw wrongField("file_path", "is missing");
      return { contentType, filePath, tags, keepSeconds, expectedHash };
    },
  };
}

const hashPattern = /^blake3:([0-9a-f]{64})$/;

// Null if it is not a hash in our format.
export function readHashText(text: string): string | null {
  return hashPattern.exec(text)?.[1] ?? null;
}

export function requireHashText(field: string, text: string): string {
  const hash = readHashText(text);
  if (hash === null) throw wrongField(field, "must be blake3: followed by 64 lower-case hexadecimal digits");
  return hash;
}

export function requireKeepSeconds(seconds: number): number {
  const { assetExpiresInSecondsMin: least, assetExpiresInSecondsMax: most } = limits;
  if (Number.isInteger(seconds) && seconds >= least && seconds <= most) return seconds;
  throw wrongField("expires_in", `must be a whole number of seconds from ${least} to ${most}`);
}

const tagCharactersMax = 128;

export function requireTag(tag: string): string {
  const isTag = tag !== "" && hasAtMost(tag, tagCharactersMax) && tag.isWellFormed() && !/[\p{Cc}\ufffd]/u.test(tag);
  if (!isTag) throw wrongField("tags", `must have 1 to ${tagCharactersMax} printable characters each`);
  return tag;
}
