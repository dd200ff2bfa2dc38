// How much the console weighs, from the build's own manifest: the first load, and what each part adds when it is opened.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gzipSync } from "node:zlib";

const folder = join(import.meta.dirname, "../../../console/dist/app");

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

export interface Weights {
  // In thousands of bytes, gzipped.
  readonly first: number;
  readonly files: Readonly<Record<string, number>>;
}

export function weighConsole(): Weights {
  const chunks = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Record<string, Chunk>;
  const weigh = (file: string) => gzipped(join(folder, file)).length / 1_000;
  // What the document names is loaded up front.
  const named = readFileSync(join(folder, "index.html"), "utf8").matchAll(
    /<(?:link|script)\b[^>]*(?:href|src)="\/console\/files\/([^"]+)"/g,
  );
  const first = new Set(["index.html", ...[...named].map(([, file = ""]) => file)]);
  const follow = (name: string): void => {
    const chunk = chunks[name];
    if (chunk === undefined) return;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) first.add(file);
    for (const each of chunk.imports ?? []) follow(each);
  };
  follow("index.html");
  const later = Object.values(chunks).filter(({ file }) => !first.has(file) && file.endsWith(".js"));
  return {
    first: [...first].reduce((sum, file) => sum + weigh(file), 0),
    files: Object.fromEntries(later.map(({ file }) => [file.replace(/-[\w-]{8}\.js$/, ""), weigh(file)])),
  };
}

// The build keeps only the compressed file where that is smaller.
function gzipped(path: string): Buffer {
  const plain = existsSync(`${path}.br`) ? brotliDecompressSync(readFileSync(`${path}.br`)) : readFileSync(path);
  return gzipSync(plain, { level: 9 });
}
