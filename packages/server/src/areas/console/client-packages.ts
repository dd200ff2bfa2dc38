// The SDK and the command line as npm packages of this server's version, kept in memory: two small files.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface ClientPackage {
  readonly etag: string;
  readonly bytes: Buffer;
}

export type ClientPackages = ReadonlyMap<string, ClientPackage>;

export async function readClientPackages(folder: string): Promise<ClientPackages> {
  const names = ["sdk", "cli"];
  const files = await Promise.all(
    names.map(async (name): Promise<[string, ClientPackage]> => {
      const bytes = await readFile(join(folder, `${name}.tar.gz`));
      const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
      return [`${name}.tgz`, { etag, bytes }];
    }),
  );
  return new Map(files);
}
