// Compares the manifest in the archive with the publish request. The manifest is pyproject.toml at the top level: the
// node's id is `project.name`, the number is `project.version`, and the publisher is `PublisherId` in a table below
// `tool` named after the application. A number computed at build time (`dynamic`) cannot be compared.
import semver from "semver";
import { type Finding, shownName } from "./finding.ts";
import { isTable, readToml, type TomlTable, tableAt } from "./toml-reader.ts";

export const manifestName = "pyproject.toml";
export const manifestBytesMax = 1024 * 1024;

export interface DeclaredIdentity {
  readonly publisherId: string;
  readonly nodeId: string;
  readonly version: string;
}

// `names` lists all files; they help explain what went wrong when `text` is missing.
export function examineManifest(
  text: string | null,
  declared: DeclaredIdentity,
  names: readonly string[] = [],
): readonly Finding[] {
  if (text === null) return [{ code: "manifest_missing", message: whyMissing(names) }];
  const manifest = readToml(text);
  const project = tableAt(manifest, "project");
  return [
    ...nameFindings(project, declared.nodeId, text),
    ...versionFindings(project, declared.version, text),
    ...publisherFindings(publisherOf(manifest), declared.publisherId, text),
  ];
}

function whyMissing(names: readonly string[]): string {
  if (names.includes(manifestName))
    return `${manifestName} cannot be read, or is larger than ${manifestBytesMax} bytes.`;
  const absent = `There is no ${manifestName} at the top of the archive`;
  const others = names.filter((name) => name.toLowerCase().split("/").at(-1) === manifestName);
  const [nearest] = others.sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
  if (nearest === undefined) return `${absent}.`;
  const shown = shownName(nearest);
  return nearest.includes("/")
    ? `${absent}, but there is ${shown}. Pack the content of that folder, not the folder itself.`
    : `${absent}. Rename ${shown}.`;
}

function nameFindings(project: TomlTable, nodeId: string, text: string): readonly Finding[] {
  const { name } = project;
  if (typeof name !== "string" || name === "") return [missing("project.name")];
  if (name.toLowerCase() === nodeId.toLowerCase()) return [];
  return [
    mismatch(
      "manifest_name",
      `project.name is "${shorten(name)}", not "${nodeId}".`,
      findLine(text, /^[ \t]*name[ \t]*=/m),
    ),
  ];
}

function versionFindings(project: TomlTable, version: string, text: string): readonly Finding[] {
  const { version: written, dynamic } = project;
  if (written === undefined && Array.isArray(dynamic) && dynamic.includes("version")) return [];
  if (typeof written !== "string" || written === "") return [missing("project.version")];
  if (normalizeVersion(written) === version) return [];
  const message = `project.version is "${shorten(written)}", not "${version}".`;
  return [mismatch("manifest_version", message, findLine(text, /^[ \t]*version[ \t]*=/m))];
}

function publisherFindings(written: string | null, publisherId: string, text: string): readonly Finding[] {
  if (written === null) return [missing("PublisherId")];
  if (written.toLowerCase() === publisherId) return [];
  const message = `PublisherId is "${shorten(written)}", not "${publisherId}".`;
  return [mismatch("manifest_publisher", message, findLine(text, /^[ \t]*PublisherId[ \t]*=/im))];
}

function publisherOf(manifest: TomlTable): string | null {
  for (const table of Object.values(tableAt(manifest, "tool"))) {
    if (!isTable(table)) continue;
    const key = Object.keys(table).find((name) => name.toLowerCase() === "publisherid");
    const value = key === undefined ? undefined : table[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return null;
}

// As lenient as the publishing tools: 1, 1.2 and v1.2.3 are all numbers. The result has three parts and no build
// metadata.
export function normalizeVersion(text: string): string | null {
  const trimmed = text.trim();
  const strict = semver.valid(trimmed);
  if (strict !== null) return strict;
  // The lenient parser would read a trailing hyphen as the name of a pre-release.
  const lenient = trimmed.endsWith("-") ? null : semver.valid(trimmed, { loose: true });
  if (lenient !== null) return lenient;
  const [, major, minor = "0", patch = "0"] = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?$/i.exec(trimmed) ?? [];
  return major === undefined ? null : semver.valid(`${Number(major)}.${Number(minor)}.${Number(patch)}`);
}

function missing(key: string): Finding {
  return { code: "manifest_incomplete", message: `${manifestName} has no ${key}.`, file: manifestName };
}

function mismatch(code: string, message: string, line: number): Finding {
  return { code, message, file: manifestName, line };
}

function findLine(text: string, pattern: RegExp): number {
  const at = pattern.exec(text)?.index ?? 0;
  return text.slice(0, at).split("\n").length;
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
