// The built console in memory: each file plain and as Brotli, and as gzip once a browser has asked for that (they accept Brotli
// only over https and from loopback). Every browser requests them once, so serving them never touches the disk.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress, gzip } from "node:zlib";

export interface ConsoleFile {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly brotli: Buffer | null;
  // Null where it saves nothing.
  gzip(): Promise<Buffer | null>;
}

export interface ConsoleFiles {
  readonly document: string;
  // Hashes of the document's inline scripts, as a policy names them.
  readonly scriptHashes: readonly string[];
  readonly files: ReadonlyMap<string, ConsoleFile>;
}

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json; charset=utf-8",
  ".wasm": "application/wasm",
  ".png": "image/png",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

const [unpacked, zipped] = [promisify(brotliDecompress), promisify(gzip)];

// Files that only the build needs.
const notServed = new Set(["index.html", "manifest.json", "stamp"]);

export async function readConsoleFiles(folder: string): Promise<ConsoleFiles> {
  const names = await readdir(folder);
  const read = async (name: string) => (names.includes(name) ? readFile(join(folder, name)) : null);
  const served = new Set(names.map((name) => name.replace(/\.br$/, "")).filter((name) => !notServed.has(name)));
  const files = await Promise.all(
    [...served].map(async (name): Promise<[string, ConsoleFile]> => {
      const brotli = await read(`${name}.br`);
      // Where Brotli makes a file smaller, the build leaves out the plain one.
      const plain = brotli === null ? await readFile(join(folder, name)) : await unpacked(brotli);
      const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
      return [
        name,
        {
          type: types[extname(name)] ?? "application/octet-stream",
          etag,
          plain,
          brotli,
          gzip: gzipOnce(plain, brotli !== null),
        },
      ];
    }),
  );
  const document = await readFile(join(folder, "index.html"), "utf8");
  const scripts = [...document.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = ""]) => text);
  const scriptHashes = scripts.map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  return { document, scriptHashes, files: new Map(files) };
}

function gzipOnce(plain: Buffer, isWorthIt: boolean): ConsoleFile["gzip"] {
  let asked: Promise<Buffer | null> | undefined;
  return () => {
    asked ??= isWorthIt ? zipped(plain, { level: 9 }) : Promise.resolve(null);
    return asked;
  };
}
