// A backup's description of itself. It is written last, and gets its final name only when everything else is on disk, so
// a backup with a manifest is complete. It lists each file with its hash and carries a seal over itself: with a key no
// one can change a backup unnoticed; without one, accidental damage is still noticed.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Type, { type Static } from "typebox";
import { compileSchema } from "../../foundation/json/schema.ts";
import { BackupRefused } from "./backup-refused.ts";

export const formatVersion = 1;
export const manifestName = "manifest.json";

const sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });
const count = Type.Integer({ minimum: 0 });
// Names become file names and SQL names, so nothing else is allowed.
const plainName = Type.String({ pattern: "^[a-z][a-z0-9_]{0,62}$" });

const fileFact = { file: Type.String({ pattern: "^[a-z0-9_.-]+(/[a-z0-9_.-]+)?$" }), file_bytes: count, sha256 };

const contents = Type.Object({
  format: Type.Literal(formatVersion),
  created_at: Type.String(),
  schema_version: count,
  migrations: Type.Array(Type.Object({ number: count, name: Type.String(), sha256 })),
  tables: Type.Array(Type.Object({ name: plainName, columns: Type.Array(plainName), rows: count, ...fileFact })),
  sequences: Type.Array(
    Type.Object({ name: plainName, value: Type.String({ pattern: "^-?[0-9]+$" }), used: Type.Boolean() }),
  ),
  blobs: Type.Union([Type.Null(), Type.Object({ count, ...fileFact })]),
});

const sealed = Type.Object({
  contents,
  seal: Type.Object({ kind: Type.Union([Type.Literal("sha256"), Type.Literal("hmac-sha256")]), digest: sha256 }),
});

export type Manifest = Static<typeof contents>;
export type TableEntry = Manifest["tables"][number];
export type BlobsEntry = NonNullable<Manifest["blobs"]>;
export type FileFact = Pick<TableEntry, "file" | "file_bytes" | "sha256">;

export function sealManifest(manifest: Manifest, sealKey: Uint8Array | undefined): string {
  const kind = sealKey ? "hmac-sha256" : "sha256";
  const seal = { kind, digest: digestOf(manifest, sealKey).toString("hex") };
  return `${JSON.stringify({ contents: manifest, seal }, null, 2)}\n`;
}

export async function readManifest(directory: string, sealKey: Uint8Array | undefined): Promise<Manifest> {
  const text = await readFile(join(directory, manifestName), "utf8").catch((cause) => {
    throw new BackupRefused(`${directory} is not a complete backup: it has no ${manifestName}.`, { cause });
  });
  const found = parsed(text);
  if (isFormat(found) && found.contents.format !== formatVersion) {
    throw new BackupRefused(
      `The backup has format ${String(found.contents.format)}, but this program reads format ${formatVersion}.`,
    );
  }
  if (!compileSchema(sealed).accepts(found)) throw new BackupRefused("The backup's manifest is damaged.");
  if (sealKey && found.seal.kind !== "hmac-sha256") throw new BackupRefused("The backup is not sealed with a key.");
  if (!sealKey && found.seal.kind !== "sha256")
    throw new BackupRefused("The backup is sealed. Give the key it was sealed with.");
  const digest = digestOf(found.contents, sealKey);
  if (!timingSafeEqual(digest, Buffer.from(found.seal.digest, "hex"))) {
    throw new BackupRefused("The backup's manifest was changed, or this is not the key it was sealed with.");
  }
  return found.contents;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BackupRefused("The backup's manifest is damaged.", { cause });
  }
}

function isFormat(value: unknown): value is { contents: { format: unknown } } {
  if (typeof value !== "object" || value === null || !("contents" in value)) return false;
  return typeof value.contents === "object" && value.contents !== null && "format" in value.contents;
}

function digestOf(manifest: Manifest, sealKey: Uint8Array | undefined): Buffer {
  const hash = sealKey ? createHmac("sha256", sealKey) : createHash("sha256");
  return hash.update(JSON.stringify(manifest)).digest();
}
