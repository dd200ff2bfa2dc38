// How many bytes the core of the built SDK takes on the wire: everything its main entry point loads up front, without
// comments and indentation, compressed as a server would send it.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

export function coreBytes(dist: string): number {
  const files = new Set<string>();
  const follow = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const text = readFileSync(join(dist, file), "utf8");
    for (const match of text.matchAll(/^(?:import|export)\b[^;]*? from "(\.[^"]+)";/gm))
      follow(join(dirname(file), match[1] ?? ""));
  };
  follow("index.js");
  const text = [...files].map((file) => readFileSync(join(dist, file), "utf8")).join("\n");
  const code = text.replaceAll(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "").replaceAll(/^\s+/gm, "");
  return gzipSync(code, { level: 9 }).length;
}
