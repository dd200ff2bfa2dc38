// The sources as the architecture tests see them: file names and texts, so that a test can also pass in sources with a
// planted fault and see it found. No dependency: imports are read with a pattern, which is enough for our own style.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

// By path with forward slashes, relative to the folder that was read.
export type Sources = ReadonlyMap<string, string>;

const root = fileURLToPath(new URL("../../../../", import.meta.url));

function read(folder: string, pattern: string): Sources {
  return new Map(
    globSync(pattern, { cwd: folder }).map((path) => [
      path.replaceAll("\\", "/"),
      readFileSync(join(folder, path), "utf8"),
    ]),
  );
}

// Every extension of code. A law with its own glob would miss some.
const code = "*.{ts,tsx,mts,mjs,js}";

// Files of packages/server/src, by path relative to it.
export const serverSources = read(join(root, "packages/server/src"), `**/${code}`);

// Files of all packages, tests beside them included, by path from the root.
export const packageSources = read(root, `packages/*/{${code},{src,bin,node}/**/${code}}`);

// Scripts, benchmarks, examples and what the deployment files run, by path from the root.
export const scriptSources = read(root, `{scripts,bench,examples,deploy}/**/${code}`);

// Everything that is written by hand, tests included, by path from the root.
export const allSources: Sources = new Map(
  [...packageSources, ...scriptSources, ...read(root, `packages/*/test/**/${code}`)].filter(
    ([path]) => !path.includes("/generated/"),
  ),
);

// What ships or is run by hand: everything but tests.
export const productSources: Sources = new Map(
  [...packageSources, ...scriptSources].filter(([path]) => !isTestFile(path) && !path.includes("/generated/")),
);

export function planted(sources: Sources, ...files: readonly (readonly [path: string, text: string])[]): Sources {
  return new Map([...sources, ...files]);
}

// Test code. It is not shipped, and may use anything it needs.
export function isTestFile(path: string): boolean {
  return /\.(test|behaviour|fixture)\.tsx?$/.test(path);
}

// A law looks at all sources again for each planted fault, and other laws look for the same things. Each text is read once.
export function oncePerText<T>(look: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text) ?? look(text);
    known.set(text, found);
    return found;
  };
}

export const lineCount = oncePerText((text) => text.split("\n").length - (text.endsWith("\n") ? 1 : 0));

export const codeWithoutComments = oncePerText((text) =>
  text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1"),
);

export function importsOf(path: string, text: string): string[] {
  return relativeImports(text).map((specifier) => normalize(join(dirname(path), specifier)));
}

const relativeImports = oncePerText((text) => {
  const specifiers = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^"';]*?from\s+"([^"]+)"|(?:^|\n)import\s+"([^"]+)"|import\("([^"]+)"\)/g,
  );
  return [...specifiers]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? "")
    .filter((specifier) => specifier.startsWith("."));
});

export interface Location {
  readonly floor: string;
  // The capability or area. Empty for a file directly on its floor.
  readonly module: string;
}

export const floors: readonly string[] = ["foundation", "capabilities", "areas", "surfaces", "roof"];

// The owner of tables and stores: a capability, an area, or a whole floor.
export function moduleOf(path: string): string {
  const { floor, module } = locationOf(path);
  return floor === "capabilities" || floor === "areas" ? `${floor}/${module}` : floor;
}

// For a file of packages/server/src. Everything on none of the other floors is the roof, which starts everything.
export function locationOf(path: string): Location {
  const [floor = "", second = ""] = path.split("/");
  if (floors.includes(floor)) return { floor, module: second.endsWith(".ts") ? "" : second };
  return { floor: "roof", module: "" };
}
