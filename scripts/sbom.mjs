// `npm run sbom`: the contents of an installation, as CycloneDX 1.6: our packages and every third-party package installed with
// them, with version, licence and the hash in the lock file. It contains no time and no serial number, so that the same lock
// file gives the same bytes.
//   npm run sbom                  packed/sbom.cdx.json
//   npm run sbom -- --to x.json   elsewhere
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

// others: { path, name, version, license }, the path as in the lock file; if absent, everything but development tools.
export function bomOf(root, others) {
  const lock = readJson(join(root, "package-lock.json"));
  const shipped = others ?? installedOf(lock);
  const { version, license } = readJson(join(root, "packages/server/package.json"));
  const own = Object.keys(lock.packages)
    .filter((path) => path.startsWith("packages/") && !path.includes("node_modules"))
    .map((path) => component({ name: lock.packages[path].name ?? `@atelier/${path.split("/")[1]}`, version, license }));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: { type: "application", "bom-ref": "atelier", name: "atelier", version, licenses: [licence(license)] },
    },
    components: [
      ...own,
      ...shipped.map((each) => component({ ...each, integrity: lock.packages[each.path]?.integrity })),
    ],
  };
}

function installedOf(lock) {
  return Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.includes("node_modules/") && dev !== true && link !== true)
    .map(([path, { version, license, name }]) => {
      return { path, name: name ?? path.split("node_modules/").at(-1), version, license };
    });
}

function component({ name, version, license, integrity, path }) {
  const [scope, bare] = name.startsWith("@") ? name.slice(1).split("/") : [null, name];
  const purl = `pkg:npm/${scope === null ? "" : `%40${scope}/`}${bare}@${version}`;
  const hash = /^sha512-(.+)$/.exec(integrity ?? "")?.[1];
  return {
    type: "library",
    "bom-ref": path ?? purl,
    ...(scope === null ? {} : { group: `@${scope}` }),
    name: bare,
    version,
    ...(hash === undefined
      ? {}
      : { hashes: [{ alg: "SHA-512", content: Buffer.from(hash, "base64").toString("hex") }] }),
    ...(license === undefined ? {} : { licenses: [licence(license)] }),
    purl,
  };
}

// One identifier, or an expression of several.
function licence(text) {
  return /\s|\(/.test(text) ? { expression: text } : { license: { id: text } };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(dirname(fileURLToPath(import.meta.url)), "..");
  const { values } = parseArgs({ options: { to: { type: "string" } } });
  const target = resolve(values.to ?? join(root, "packed/sbom.cdx.json"));
  const bom = bomOf(root);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, `${JSON.stringify(bom, null, 1)}\n`);
  process.stdout.write(`${target}\n`);
  process.stderr.write(`${bom.components.length} components\n`);
}
