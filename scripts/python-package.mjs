// The Python client as a wheel and as a source archive, without Python: a wheel is a zip file with three documents about its
// content. Names, times and modes are fixed, so the same sources give the same bytes. packages/python/pyproject.toml has the
// package's name, version and requirements, and nothing else repeats them.
//   node scripts/python-package.mjs                 packed/atelier_sdk-….whl and .tar.gz
//   node scripts/python-package.mjs --to /tmp/x     elsewhere
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { parse } from "smol-toml";
import { tarOf } from "./image/tar.mjs";

// Zip files know no time before 1980.
const seconds = 315_532_800;

// { name, version, wheel: { file, bytes }, sdist: { file, bytes } }
export function pythonPackageOf(root) {
  const folder = join(root, "packages/python");
  const { project } = parse(readFileSync(join(folder, "pyproject.toml"), "utf8"));
  const sources = sourcesBelow(join(folder, "src"));
  const own = (name) => readFileSync(join(folder, name));
  const documents = { LICENSE: readFileSync(join(root, "LICENSE")) };
  const about = Buffer.from(metadataOf(project, own(project.readme).toString("utf8")));
  const stem = `${project.name.replaceAll(/[-_.]+/g, "_").toLowerCase()}-${project.version}`;
  return {
    name: project.name,
    version: project.version,
    wheel: {
      file: `${stem}-py3-none-any.whl`,
      bytes: zipOf(wheelFiles(`${stem}.dist-info`, sources, about, documents)),
    },
    sdist: {
      file: `${stem}.tar.gz`,
      bytes: sdistOf(stem, {
        ...documents,
        "PKG-INFO": about,
        "README.md": own("README.md"),
        "pyproject.toml": own("pyproject.toml"),
        ...Object.fromEntries(Object.entries(sources).map(([name, bytes]) => [`src/${name}`, bytes])),
      }),
    },
  };
}

function sourcesBelow(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => /(\.py|\/py\.typed)$/.test(name));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name))]));
}

function wheelFiles(info, sources, about, documents) {
  const wheel = "Wheel-Version: 1.0\nGenerator: atelier\nRoot-Is-Purelib: true\nTag: py3-none-any\n";
  const files = {
    ...sources,
    ...Object.fromEntries(Object.entries(documents).map(([name, bytes]) => [`${info}/licenses/${name}`, bytes])),
    [`${info}/METADATA`]: about,
    [`${info}/WHEEL`]: Buffer.from(wheel),
  };
  const hashOf = (bytes) => createHash("sha256").update(bytes).digest("base64url");
  const lines = Object.entries(files).map(([name, bytes]) => `${name},sha256=${hashOf(bytes)},${bytes.length}\n`);
  return { ...files, [`${info}/RECORD`]: Buffer.from(`${lines.join("")}${info}/RECORD,,\n`) };
}

// Version 2.1, which every pip in use reads.
function metadataOf(project, readme) {
  const extras = Object.entries(project["optional-dependencies"] ?? {});
  return [
    "Metadata-Version: 2.1",
    `Name: ${project.name}`,
    `Version: ${project.version}`,
    `Summary: ${project.description}`,
    `License: ${project.license}`,
    `Requires-Python: ${project["requires-python"]}`,
    ...project.classifiers.map((each) => `Classifier: ${each}`),
    ...project.dependencies.map((each) => `Requires-Dist: ${each}`),
    ...extras.flatMap(([extra, needs]) => [
      `Provides-Extra: ${extra}`,
      ...needs.map((each) => `Requires-Dist: ${each} ; extra == "${extra}"`),
    ]),
    "Description-Content-Type: text/markdown",
    "",
    readme,
  ].join("\n");
}

function sdistOf(stem, files) {
  const entries = Object.entries(files).map(([name, body]) => {
    return { path: `${stem}/${name}`, type: "file", mode: 0o644, uid: 0, gid: 0, body };
  });
  return gzipSync(Buffer.concat([...tarOf(entries, seconds)]), { level: 9 });
}

function zipOf(files) {
  const [local, central] = [[], []];
  let offset = 0;
  for (const [name, bytes] of Object.entries(files)) {
    const path = Buffer.from(name);
    const body = deflateRawSync(bytes, { level: 9 });
    const facts = Buffer.alloc(26);
    // Version 2.0, names in UTF-8, deflated, midnight of the first of January 1980.
    for (const [at, value] of [
      [0, 20],
      [2, 0x800],
      [4, 8],
      [6, 0],
      [8, 0x21],
    ])
      facts.writeUInt16LE(value, at);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(body.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(path.length, 22);
    local.push(Buffer.from("PK\x03\x04", "latin1"), facts, path, body);
    const location = Buffer.alloc(14);
    // A regular file that everybody may read.
    location.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    location.writeUInt32LE(offset, 10);
    central.push(Buffer.from("PK\x01\x02\x14\x03", "latin1"), facts, location, path);
    offset += 30 + path.length + body.length;
  }
  const index = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  for (const at of [8, 10]) end.writeUInt16LE(Object.keys(files).length, at);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, index, end]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(dirname(fileURLToPath(import.meta.url)), "..");
  const { values } = parseArgs({ options: { to: { type: "string" } } });
  const target = resolve(values.to ?? join(root, "packed"));
  mkdirSync(target, { recursive: true });
  const { wheel, sdist } = pythonPackageOf(root);
  for (const { file, bytes } of [wheel, sdist]) {
    writeFileSync(join(target, file), bytes);
    process.stdout.write(`${join(target, file)}\n`);
  }
}
