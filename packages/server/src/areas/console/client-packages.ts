// The SDK and the command line as npm packages of this server's version, and the Python client as a wheel, kept in memory: three
// small files. A wheel's name has its version, and pip accepts no other name.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface ClientPackage {
  readonly etag: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export type ClientPackages = ReadonlyMap<string, ClientPackage>;

export async function readClientPackages(folder: string): Promise<ClientPackages> {
  const wheels = (await readdir(folder)).filter((name) => name.endsWith(".whl"));
  const files = await Promise.all(
    ["sdk.tar.gz", "cli.tar.gz", ...wheels].map(async (name): Promise<[string, ClientPackage]> => {
      const bytes = await readFile(join(folder, name));
      const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
      const type = name.endsWith(".whl") ? "application/zip" : "application/gzip";
      return [name.replace(/\.tar\.gz$/, ".tgz"), { etag, type, bytes }];
    }),
  );
  return new Map(files);
}
