// Builds the console: Vite's files, as Brotli where that is smaller; the document, with the frame of the
// pages and the styles of that frame inside; and the stamp. All of it in a folder of its own that becomes the given one when it is
// whole, so that a build that was cut off counts as none. Called where only one builds at a time (node/ensure-built.ts).
//   node packages/console/build.mjs <stamp> <folder> <folder to work in>
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import react from "@vitejs/plugin-react";
import { build } from "vite";

const here = dirname(fileURLToPath(import.meta.url));
const [, , stamp = "", folder = join(here, "dist/app"), building = join(here, "building")] = process.argv;
const target = join(building, `app-${process.pid}`);
process.env.NODE_ENV = "production";
// Which folder of src/strings the words come from.
const language = process.env.ATELIER_CONSOLE_LANGUAGE || "en";
const strings = join(here, "src/strings", language);
// In bytes. What is smaller is there at once when it is asked for.
const largeFrom = 10_000;
if (!/^[a-z]{2,3}(-[A-Za-z\d]+)*$/.test(language) || !existsSync(strings))
  throw new Error(`ATELIER_CONSOLE_LANGUAGE is ${language}, but src/strings has no such folder.`);

// What every page is made of comes as one file, with the icons that it draws itself; a browser asks for few, and a page
// brings only its own. Parts that few pages have come with those: nothing in the frame lists endlessly or changes anything.
const libraries =
  /node_modules\/(?!@tanstack\/[\w-]+\/build\/modern\/(queries|infiniteQuery|mutation|use(Queries|InfiniteQuery|Mutation))(Observer)?\.js)(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?!react-virtual|virtual-core)[\w-]+)\//;
const own =
  /packages\/(console\/src\/(app\/(?!palette|keys-help|view-transition|moved-between)|api\/(account|client|config|fault|session)|strings\/[\w-]+\/(api|app|shared|ui)\.ts$|ui\/(text\/)?(?!outcome|chip|object-urls|thumb|kind-icon|secret-dialog|shown-once|meter|dialog-form|table|menu|tabs|fields)[\w-]+\.(ts|tsx|module\.css)$)|sdk\/src\/exact-json\.ts$)/;
const framed = ["app", "ui", "ui/text"].flatMap((folder) =>
  readdirSync(join(here, "src", folder))
    .filter((name) => /\.tsx?$/.test(name) && own.test(`packages/console/src/${folder}/${name}`))
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
const isOfFrame = (id) => {
  const [, icon] = /node_modules\/lucide-react\/dist\/esm\/(?:icons\/)?([\w-]+)\.m?js/.exec(id) ?? [];
  return icon === undefined ? libraries.test(id) || own.test(id) : icons.has(icon) || !id.includes("/icons/");
};
const common = {
  configFile: false,
  mode: "production",
  root: here,
  // Files are served below this path; the document itself at / and below /console.
  base: "/console/files/",
  plugins: [react()],
  logLevel: "warn",
};
const alias = [{ find: /^#strings\/([\w/-]+)$/, replacement: join(strings, "$1.ts") }];
const inFolder = (outDir) => ({
  outDir,
  emptyOutDir: true,
  // Flat: a file is one path segment.
  assetsDir: "",
  assetsInlineLimit: 0,
  reportCompressedSize: false,
});
const editorParts = /node_modules\/(@codemirror|@lezer|@marijn|crelt|style-mod|w3c-keyname)\//;
// One folder of files under hashed names, one document that names them. Nothing is inlined as data that the policy would
// have to allow, and every page is a chunk of its own.
await build({
  ...common,
  resolve: { alias, conditions: ["atelier-source", "module", "browser", "production"] },
  build: {
    ...inFolder(target),
    manifest: "manifest.json",
    target: "es2023",
    // light-dark() stays the browser's own: a part of a page may be drawn in the other scheme.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      // An operation is a constant, and each page carries only those that it calls.
      optimization: { inlineConst: { mode: "all" } },
      // No library needs a property to be read whose value is not used.
      treeshake: { propertyReadSideEffects: false },
      output: {
        codeSplitting: {
          groups: [
            { name: "frame", test: isOfFrame },
            { name: "editor", test: editorParts },
          ],
        },
      },
    },
  },
  worker: { format: "es" },
});
const { frame, documentWords } = await firstPaint();
writeDocument();

const brotli = promisify(brotliCompress);
const texts = readdirSync(target).filter((name) => /\.(js|css|svg|json)$/.test(name) && name !== "manifest.json");
await Promise.all(
  texts.map(async (name) => {
    const bytes = readFileSync(join(target, name));
    const small = await brotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    });
    if (small.length >= bytes.length) return;
    // The server gets the plain bytes from these, and gzips them for browsers that ask for it.
    writeFileSync(join(target, `${name}.br`), small);
    rmSync(join(target, name));
  }),
);
// The licence of the typeface goes where the typeface goes.
writeFileSync(join(target, "figtree-licence.txt"), readFileSync(join(here, "src/ui/typeface/OFL.txt")));
writeFileSync(join(target, "stamp"), stamp);
mkdirSync(dirname(folder), { recursive: true });
rmSync(folder, { recursive: true, force: true });
renameSync(target, folder);

// The frame as markup, from the components that draw the live one.
async function firstPaint() {
  const made = join(building, `first-paint-${process.pid}`);
  await build({
    ...common,
    resolve: { alias, conditions: ["atelier-source", "module", "production"] },
    // With all it needs inside: where it is built there may be no packages to be found.
    ssr: { noExternal: true },
    build: { ...inFolder(made), ssr: "src/app/first-paint.tsx" },
  });
  const painter = await import(pathToFileURL(join(made, "first-paint.js")).href);
  rmSync(made, { recursive: true });
  // Without the icons, which would take half of the time until the first paint: they come with the live page, into the room that
  // first-paint.css keeps for them. The server marks the entry of the requested page, and writes the page's name.
  const painted = painter
    .firstPaint()
    .replaceAll(/<svg xmlns.*?<\/svg>/g, "")
    .replaceAll(/<li([^>]*)><a href="([^"]+)"([^>]*>)([^<]+)</g, '<li$1><a href="$2" __AT $2 $4__$3$4<')
    .replace('data-first="title"></div>', 'data-first="title">__TITLE__</div>');
  return { frame: painted, documentWords: painter.documentWords };
}

// The first paint waits for nothing but the document: the frame and its styles stand in it. Large scripts are fetched meanwhile,
// after anything that paints, small ones and all that runs come after it, when the whole of the styles is there. The typeface is asked for in the body: browsers
// hold back the first paint for one that is named in the head.
function writeDocument() {
  const file = join(target, "index.html");
  const links = /^ *<(?:link rel="(?:modulepreload|stylesheet)"|script type="module")[^>]*>(?:<\/script>)?\n/gm;
  const document = readFileSync(file, "utf8");
  const named = [...document.matchAll(links)].map(([tag]) => /(?:src|href)="([^"]+)"/.exec(tag)?.[1] ?? "");
  const [entry] = named;
  const sheets = named.filter((name) => name.endsWith(".css"));
  const scripts = named.filter((name) => name.endsWith(".js"));
  const large = scripts.filter((name) => statSync(join(target, name.split("/").at(-1))).size > largeFrom);
  const styles = sheets.map((name) => readFileSync(join(target, name.split("/").at(-1)), "utf8").trim()).join("\n");
  const ofFrame = readFileSync(join(here, "src/app/first-paint.css"), "utf8")
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s*([{};,])\s*|\s+/g, (_, sign) => sign ?? " ")
    .replaceAll(/(?<=[{;][\w-]+:) /g, "");
  const typefaces = [...styles.matchAll(/url\(["']?(\/console\/files\/[\w.-]+\.woff2)/g)].map(([, name]) => name);
  const head = [
    `<style nonce="__NONCE__">${stylesOf(frame, `${styles}${ofFrame}`)}</style>`,
    ...large.map((name) => `<link rel="preload" as="script" fetchpriority="low" crossorigin href="${name}">`),
  ];
  const inBody = typefaces.map((name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${name}">`);
  const begin = readFileSync(join(here, "src/app/begin.js"), "utf8")
    .replaceAll(/^\/\/.*\n/gm, "")
    .replace("__ENTRY__", entry)
    .replace("__SHEETS__", sheets.join(" "))
    .replace("__SMALL__", scripts.filter((name) => !large.includes(name)).join(" "))
    .replace('"__NOT_LOADED__"', () => JSON.stringify(documentWords.notLoaded).replaceAll("<", "\\u003c"))
    .trim();
  const whole = document
    .replaceAll(links, "")
    .replace("__LANGUAGE__", documentWords.language)
    .replace("__NO_SCRIPT__", () => documentWords.noScript.replaceAll("&", "&amp;").replaceAll("<", "&lt;"))
    .replace("</head>", () => `${head.map((tag) => `  ${tag}\n`).join("  ")}  </head>`)
    .replace("<body>", () => `<body>${inBody.join("")}`)
    .replace('<div id="root"></div>', (root) => root.replace("><", `>${frame}<`))
    .replace("</body>", () => `  <script>\n${begin}\n    </script>\n  </body>`);
  writeFileSync(file, whole);
}

// Of the styles, as the build made them small, those that the markup needs as it stands, and the colours that these name: the
// fewer rules the first paint has to read, the sooner it comes.
function stylesOf(markup, styles) {
  const has = (attribute, name) => new RegExp(` ${attribute}="([^"]* )?${name}[" ]`).test(markup);
  const elements = new Set(["html", "body", ...[...markup.matchAll(/<([a-z\d]+)/g)].map(([, name]) => name)]);
  const isNeeded = (selector) =>
    !/:(hover|focus|disabled|selection)|::(backdrop|selection)|aria-disabled|data-well/.test(selector) &&
    [...selector.matchAll(/\.(-?[_a-z][\w-]*)/gi)].every(([, name]) => has("class", name)) &&
    [...selector.matchAll(/(?<![\w.:[("=-])[a-z][a-z\d]*(?![\w-]*[=\]])/g)].every(([name]) => elements.has(name));
  const needed = rulesOf(styles)
    .map(function kept([head, body]) {
      if (head.startsWith("@media")) {
        const inner = rulesOf(body).map(kept).join("");
        return inner === "" ? "" : `${head}{${inner}}`;
      }
      if (head.startsWith("@")) return head === "@font-face" ? `${head}{${body}}` : "";
      const selectors = head.split(/,(?![^(]*\))/).filter(isNeeded);
      return selectors.length === 0 ? "" : `${selectors.join(",")}{${body}}`;
    })
    .join("");
  return needed.replaceAll(/(--[\w-]+):[^;}]+;?/g, (whole, name) => (needed.includes(`var(${name})`) ? whole : ""));
}

// Each as what stands before its braces, and what within.
function rulesOf(text) {
  const rules = [];
  let [depth, from, open] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "{" && depth++ === 0) open = at;
    if (text[at] !== "}" || --depth > 0) continue;
    rules.push([text.slice(from, open).trim(), text.slice(open + 1, at)]);
    from = at + 1;
  }
  return rules;
}
