// Builds the console into dist/app: Vite's files, each again as Brotli and gzip where that is smaller, and last of all the
// stamp, so that a build that was cut off counts as none.
//   node packages/console/build.mjs [stamp]
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import react from "@vitejs/plugin-react";
import { build } from "vite";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "dist/app");
process.env.NODE_ENV = "production";

// What every page is made of comes as one file, with the icons that it draws itself; a browser asks for few, and a page
// brings only its own.
const framed = ["app", "ui"].flatMap((folder) =>
  readdirSync(join(here, "src", folder))
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(here, "src", folder, name), "utf8")),
);
const icons = new Set(
  framed.flatMap((text) =>
    (/import \{([^}]*)\} from "lucide-react"/.exec(text)?.[1] ?? "").split(",").map((name) =>
      name
        .trim()
        .replace(/ as .*/, "")
        .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "-")
        .toLowerCase(),
    ),
  ),
);
const libraries =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?!react-virtual|virtual-core)[\w-]+)\//;
const own =
  /packages\/(console\/src\/(app\/(?!palette)|api\/(account|client|config|fault|session)|ui\/[\w-]+\.(ts|tsx|module\.css)$)|sdk\/src\/(?!graph-in-file|blake3|badge|webhooks)[\w-]+\.ts$)/;
const isOfFrame = (id) => {
  const [, icon] = /node_modules\/lucide-react\/dist\/esm\/(?:icons\/)?([\w-]+)\.m?js/.exec(id) ?? [];
  return icon === undefined ? libraries.test(id) || own.test(id) : icons.has(icon) || !id.includes("/icons/");
};
// One folder of files under hashed names, one document that names them. Nothing is inlined as data that the policy would
// have to allow, and every page is a chunk of its own.
await build({
  configFile: false,
  mode: "production",
  root: here,
  // Files are served below this path; the document itself at / and below /console.
  base: "/console/files/",
  plugins: [react()],
  resolve: { conditions: ["atelier-source", "module", "browser", "production"] },
  build: {
    outDir: target,
    emptyOutDir: true,
    // Flat: a file is one path segment.
    assetsDir: "",
    assetsInlineLimit: 0,
    manifest: "manifest.json",
    target: "es2023",
    // light-dark() stays the browser's own: a part of a page may be drawn in the other scheme.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "frame", test: isOfFrame }] } } },
  },
  worker: { format: "es" },
  logLevel: "warn",
});

const [gzipped, brotli] = [promisify(gzip), promisify(brotliCompress)];
const texts = readdirSync(target).filter((name) => /\.(js|css|svg|json)$/.test(name) && name !== "manifest.json");
await Promise.all(
  texts.map(async (name) => {
    const bytes = readFileSync(join(target, name));
    const small = await gzipped(bytes, { level: 9 });
    const smaller = await brotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    });
    if (small.length < bytes.length) writeFileSync(join(target, `${name}.gz`), small);
    if (smaller.length < bytes.length) writeFileSync(join(target, `${name}.br`), smaller);
  }),
);
if (process.argv[2] !== undefined) writeFileSync(join(target, "stamp"), process.argv[2]);
