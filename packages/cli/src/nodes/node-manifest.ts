// Reads a node's pyproject.toml the way the ecosystem's publishing tools do: [project] for what every package has, and one table
// below [tool], named after the application, that names the publisher.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isTable, readToml, TomlProblem, type TomlTable, type TomlValue } from "./toml-document.ts";

export const manifestName = "pyproject.toml";

export interface NodeFinding {
  readonly code: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}

export const findingLine = ({ code, message, file, line }: NodeFinding): string =>
  `  ${code}  ${message}${file === undefined ? "" : `  ${file}${line === undefined ? "" : `:${line}`}`}`;

export interface NodeManifest {
  readonly nodeId: string;
  readonly version: string;
  readonly publisherId: string;
  // The name of the table below [tool].
  readonly toolName: string;
  readonly includes: readonly string[];
  readonly node: Readonly<Record<string, unknown>>;
  readonly nodeVersion: Readonly<Record<string, unknown>> & { readonly version: string };
}

type ReadManifest =
  | { readonly manifest: NodeManifest; readonly findings: readonly [] }
  | { readonly manifest: null; readonly findings: readonly NodeFinding[] };

export function readManifest(folder: string): ReadManifest {
  let text: string;
  try {
    text = readFileSync(join(folder, manifestName), "utf8");
  } catch {
    return refused([
      { code: "manifest_missing", message: `There is no ${manifestName} in ${folder}. Create one: atelier nodes init` },
    ]);
  }
  try {
    return parseManifest(text);
  } catch (error) {
    if (!(error instanceof TomlProblem)) throw error;
    return refused([{ code: "manifest_unreadable", message: error.message, file: manifestName, line: error.line }]);
  }
}

const refused = (findings: readonly NodeFinding[]): ReadManifest => ({ manifest: null, findings });

const nodeIdShape = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const publisherIdShape = /^[a-z][a-z0-9-]*$/i;
const versionShape = /^v?\d+(\.\d+){0,2}([-+][0-9A-Za-z.+-]+)?$/;

export function parseManifest(text: string): ReadManifest {
  const document = readToml(text);
  const project = tableOrEmpty(document["project"]);
  const [toolName, tool] = toolOf(tableOrEmpty(document["tool"]));
  const nodeId = trimmed(project["name"]);
  const version = trimmed(project["version"]);
  const publisherId = trimmed(entryOf(tool, "PublisherId"));
  const findings = [
    shapeProblem("project.name", nodeId, nodeIdShape, "letters, digits, dot, underscore and hyphen"),
    shapeProblem("project.version", version, versionShape, "a number such as 1.2.0"),
    shapeProblem(`tool.${toolName}.PublisherId`, publisherId, publisherIdShape, "your publisher's id"),
  ].filter((finding) => finding !== null);
  if (findings.length > 0) return refused(findings);
  const compatible = compatibility(project, tool, toolName);
  const manifest: NodeManifest = {
    nodeId,
    version,
    publisherId: publisherId.toLowerCase(),
    toolName,
    includes: strings(entryOf(tool, "includes")),
    node: { id: nodeId, ...described(project, tool), ...compatible },
    nodeVersion: { version, dependencies: dependenciesOf(project), ...compatible },
  };
  return { manifest, findings: [] };
}

function shapeProblem(key: string, value: string, shape: RegExp, expected: string): NodeFinding | null {
  if (value === "") return { code: "manifest_incomplete", message: `${key} is missing.`, file: manifestName };
  if (shape.test(value)) return null;
  return { code: "manifest_wrong", message: `${key} is "${value}"; it must be ${expected}.`, file: manifestName };
}

function toolOf(tools: TomlTable): [string, TomlTable] {
  for (const [name, table] of Object.entries(tools)) {
    if (isTable(table) && entryOf(table, "PublisherId") !== undefined) return [name, table];
  }
  return ["atelier", {}];
}

// Keys of the tool's table come in several spellings: PublisherId, publisherid, publisher-id.
function entryOf(table: TomlTable, key: string): TomlValue | undefined {
  const plain = (name: string) => name.replaceAll(/[-_]/g, "").toLowerCase();
  const found = Object.keys(table).find((name) => plain(name) === plain(key));
  return found === undefined ? undefined : table[found];
}

function described(project: TomlTable, tool: TomlTable): Record<string, unknown> {
  const urls = tableOrEmpty(project["urls"]);
  const licence = project["license"];
  const fields = {
    name: trimmed(entryOf(tool, "DisplayName")) || trimmed(project["name"]),
    description: trimmed(project["description"]),
    repository: trimmed(entryOf(urls, "Repository")),
    license: isTable(licence) ? JSON.stringify(licence) : trimmed(licence),
    icon: trimmed(entryOf(tool, "Icon")),
    banner_url: trimmed(entryOf(tool, "Banner")),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}

const systems: Readonly<Record<string, string>> = {
  "OS Independent": "OS Independent",
  Windows: "Microsoft :: Windows",
  Linux: "POSIX :: Linux",
  macOS: "MacOS",
};

// Platforms are in the classifiers, supported versions of the application in a key that begins with `requires-`.
function compatibility(project: TomlTable, tool: TomlTable, toolName: string): Record<string, unknown> {
  const classifiers = strings(project["classifiers"]);
  const below = (head: string) =>
    classifiers.filter((each) => each.startsWith(`${head} :: `)).map((each) => each.slice(head.length + 4));
  const supportedOs = below("Operating System").map(
    (each) => Object.keys(systems).find((name) => each.startsWith(systems[name] ?? name)) ?? each,
  );
  const accelerators = [...below("Environment :: GPU"), ...below("Environment :: NPU")].map(
    (each) => each.split(" :: ")[0] ?? each,
  );
  const [, appVersion] = Object.entries(tool).find(([key]) => key.toLowerCase().startsWith("requires-")) ?? [];
  const frontend = strings(project["dependencies"]).find((each) => isFrontend(each, toolName));
  const fields = {
    supported_os: [...new Set(supportedOs)],
    supported_accelerators: [...new Set(accelerators)],
    supported_app_version: trimmed(appVersion),
    supported_app_frontend_version: frontend?.replace(/^[A-Za-z0-9._-]+/, "").trim() ?? "",
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value.length > 0));
}

// A dependency on the application's frontend only states its versions; it is never installed with a node.
const isFrontend = (dependency: string, toolName: string): boolean =>
  new RegExp(`^${toolName.replace(/[^A-Za-z0-9]/g, "")}\\w*-frontend-package\\b`, "i").test(dependency);

function dependenciesOf(project: TomlTable): string[] {
  return strings(project["dependencies"]).filter((each) => !/^\w+-frontend-package\b/i.test(each));
}

const tableOrEmpty = (value: TomlValue | undefined): TomlTable => (isTable(value) ? value : {});
const trimmed = (value: TomlValue | undefined): string => (typeof value === "string" ? value.trim() : "");
const strings = (value: TomlValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
