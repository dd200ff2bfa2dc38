// The version and the npm scope of everything that is released. The root's package.json has the version; every other place
// repeats it, and a test compares them.
//   npm run release:version               says the version and where it is written
//   npm run release:version -- 0.2.0      writes it everywhere, and gives CHANGELOG's Unreleased its heading
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// The scope that our packages are published under. `npm run release -- --scope @other` publishes the same under another.
export const npmScope = "@atelier";

const versionPattern = String.raw`\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?`;

export function versionOf(root) {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
}

// The places, each as a file and a pattern of which the second group is the version.
export function versionLocations(root) {
  const manifests = readdirSync(join(root, "packages"))
    .map((name) => `packages/${name}/package.json`)
    .filter((path) => existsSync(join(root, path)));
  const own = [`^( {2}"version": ")(V)`, `("${npmScope}/[a-z]+": ")(V)`];
  const wheel = ["(atelier_sdk-)(V)(?=-py3)"];
  const image = ["(atelier:)(V)"];
  const tarball = ["(atelier-sdk-)(V)(?=\\.tgz)"];
  return [
    { path: "package.json", patterns: [own[0]] },
    ...manifests.map((path) => ({ path, patterns: own })),
    { path: "package-lock.json", patterns: [`^( {2}"version": ")(V)`, `("${npmScope}/[a-z]+": ")(V)`, lockOwn] },
    { path: "packages/python/pyproject.toml", patterns: [`^(version = ")(V)`] },
    { path: "deploy/helm/atelier/Chart.yaml", patterns: ["^(version: )(V)", `^(appVersion: ")(V)`] },
    { path: "deploy/Containerfile", patterns: [...image, `(image\\.version=")(V)`] },
    { path: "deploy/README.md", patterns: image },
    { path: "deploy/compose.yaml", patterns: image },
    { path: "deploy/compose/new-secrets.sh", patterns: image },
    { path: "packages/server/test/deploy/chart.long.test.ts", patterns: [`(Version: ")(V)`] },
    { path: "docs/SELF-HOSTED.md", patterns: [`("status": "healthy", "version": ")(V)`] },
    { path: "docs/PYTHON.md", patterns: wheel },
    { path: "packages/python/README.md", patterns: wheel },
    { path: "docs/SDK.md", patterns: tarball },
    { path: "README.md", patterns: [...tarball, ...wheel] },
    { path: "packages/sdk/README.md", patterns: tarball },
  ];
}

// The lock file's entry of a package of ours: its version follows its name.
const lockOwn = `("(?:name": "atelier-house|name": "${npmScope}/[a-z]+)",\\n\\s+"version": ")(V)`;

// Every version that is written anywhere: { path, version }.
export function writtenVersions(root) {
  return versionLocations(root).flatMap(({ path, patterns }) => {
    const text = readFileSync(join(root, path), "utf8");
    return patterns.flatMap((pattern) =>
      [...text.matchAll(expressionOf(pattern))].map(([, , version]) => ({ path, version })),
    );
  });
}

const expressionOf = (pattern) => new RegExp(pattern.replace("(V)", `(${versionPattern})`), "gm");

export function setVersion(root, version, day) {
  if (!new RegExp(`^${versionPattern}$`).test(version)) throw new Error(`"${version}" is not a version such as 0.2.0.`);
  for (const { path, patterns } of versionLocations(root)) {
    const before = readFileSync(join(root, path), "utf8");
    const after = patterns.reduce((text, pattern) => text.replace(expressionOf(pattern), `$1${version}`), before);
    if (after !== before) writeFileSync(join(root, path), after);
  }
  const changelog = join(root, "CHANGELOG.md");
  const text = readFileSync(changelog, "utf8");
  if (!text.includes(`\n## ${version} `))
    writeFileSync(changelog, text.replace("\n## Unreleased\n", `\n## Unreleased\n\n## ${version} — ${day}\n`));
}

// The release's part of CHANGELOG, without its heading; null if it has none.
export function notesOf(root, version) {
  const parts = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m).slice(1);
  const found = parts.find((part) => part.startsWith(`${version} `));
  return found === undefined ? null : `${found.slice(found.indexOf("\n")).trim()}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
  const [version] = process.argv.slice(2);
  if (version === undefined) {
    for (const each of writtenVersions(root)) process.stdout.write(`${each.version}  ${each.path}\n`);
  } else {
    setVersion(root, version, new Date().toISOString().slice(0, 10));
    process.stdout.write(
      `Set ${version}. Now: npm run openapi, npm test, commit, node scripts/freeze-release.mjs, commit, npm run release -- --tag\n`,
    );
  }
}
