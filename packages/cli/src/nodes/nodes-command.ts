// `atelier nodes`: from an empty folder to a published node, and from a node's id to an installed one.
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { AtelierError, type Node } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { exitCodes } from "../exit-codes.ts";
import { keepFile } from "../files/keep-file.ts";
import { requireFolder } from "../files/output-path.ts";
import { take } from "../files/take.ts";
import { given } from "../given.ts";
import { checkBeforehand } from "../jobs/check-beforehand.ts";
import { wrongCall } from "../read-call.ts";
import { ClientProblem } from "../server/client-problem.ts";
import { explainError } from "../server/explain-error.ts";
import { type Asked, overHttp, readAnswer } from "../server/over-http.ts";
import { counted } from "../terminal/counted.ts";
import { sizeText } from "../terminal/progress-line.ts";
import { type ArchiveFiles, listFiles, pack } from "./node-archive.ts";
import { newCapabilities, showCapabilities } from "./node-capabilities.ts";
import { findingLine, manifestName, type NodeFinding, type NodeManifest, readManifest } from "./node-manifest.ts";
import { manifestText, moduleText } from "./node-template.ts";
import { createPublisher, createToken, deprecate, review, stateOf, wayOut } from "./own-nodes.ts";
import { unpackNode } from "./unpack-node.ts";

export const nodesCommand = overHttp({
  publisher: createPublisher,
  token: createToken,
  init,
  validate,
  publish: (asked) => publish(asked).catch((thrown: unknown) => throwWithNextStep(thrown, asked)),
  review,
  deprecate,
  search,
  install,
  capabilities: showCapabilities,
  ls: list,
});

// The first publish without a publisher, or a repeated version, has one obvious next step.
function throwWithNextStep(thrown: unknown, { baseUrl, call }: Asked): never {
  if (!(thrown instanceof AtelierError) || (thrown.status !== 404 && thrown.status !== 409)) throw thrown;
  const { kind, code, message, facts } = explainError(thrown, { baseUrl, hasKey: true, isAdmin: false });
  const publisherId = readManifest(call.words[0] ?? ".").manifest?.publisherId ?? "my-studio";
  const hint =
    thrown.status === 404
      ? `create this publisher: atelier nodes publisher ${publisherId}`
      : `raise project.version in ${manifestName}; a published version cannot be replaced`;
  throw new ClientProblem(kind, code, message, { ...facts, hint });
}

async function init({ call }: Asked): Promise<CommandResult> {
  const folder = resolve(call.words[0] ?? ".");
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, "");
  requireFolder(folder);
  if (existsSync(join(folder, manifestName)))
    throw new ClientProblem("usage", "usage", `${join(folder, manifestName)} already exists.`, { hint: "edit it" });
  const publisher = call.text("publisher") ?? "";
  const has = (file: string) => existsSync(join(folder, file));
  const nodeId = name || "my-node";
  const made = [await keepFile(manifestText(nodeId, publisher, has("LICENSE")), fileIn(folder, manifestName))];
  if (!has("__init__.py")) made.push(await keepFile(moduleText(nodeId), fileIn(folder, "__init__.py")));
  const next = publisher === "" ? "Set PublisherId in pyproject.toml, then run: " : "Next: ";
  const afterwards = [
    "Describe the node in pyproject.toml and write your classes in __init__.py, which has a working example.",
    `${next}atelier nodes validate ${call.words[0] ?? ""}`.trimEnd(),
  ].join("\n");
  return { data: { files: made }, text: made.join("\n"), afterwards };
}

const fileIn = (folder: string, name: string) => ({ folder, name });

interface Checked {
  readonly manifest: NodeManifest | null;
  readonly archive: ArchiveFiles | null;
  // Null if it could not be packed.
  readonly bytes: Uint8Array<ArrayBuffer> | null;
  readonly findings: readonly NodeFinding[];
  // What the registry's checks found; null if they are not installed here.
  readonly verdict: readonly NodeFinding[] | null;
}

async function checkFolder(folder: string): Promise<Checked> {
  const { manifest, findings } = readManifest(folder);
  if (manifest === null) return { manifest, archive: null, bytes: null, findings, verdict: [] };
  const archive = listFiles(folder, manifest);
  const own: NodeFinding[] = archive.files.includes(manifestName)
    ? []
    : [
        {
          code: "manifest_untracked",
          message: "git does not track this file, so it would be missing.",
          file: manifestName,
        },
      ];
  const found = [...own, ...archive.findings];
  if (found.length > 0) return { manifest, archive, bytes: null, findings: found, verdict: [] };
  const bytes = await pack(folder, archive.files);
  return { manifest, archive, bytes, findings: found, verdict: await checkBeforehand(bytes, manifest) };
}

async function validate({ call }: Asked): Promise<CommandResult> {
  return reportOf(await checkFolder(call.words[0] ?? "."));
}

function reportOf({ manifest, archive, findings: own, verdict }: Checked): CommandResult {
  const findings = [...own, ...(verdict ?? [])];
  const warnings = [
    ...(archive && !archive.isTracked ? ["Not a git checkout: packing all files except hidden ones."] : []),
    ...(verdict === null ? ["The code was not checked; install @atelier/server next to this package for that."] : []),
    ...(manifest && archive ? adviceOf(manifest, archive.files) : []),
  ];
  const packed = archive ? `   ${counted(archive.files.length, "file")}, ${sizeText(archive.bytes)}` : "";
  const who = manifest ? `${manifest.nodeId} ${manifest.version} of ${manifest.publisherId}${packed}` : "The node";
  const problem = `${who}: ${counted(findings.length, "problem")}.`;
  const isWell = findings.length === 0;
  const data = {
    node_id: manifest?.nodeId ?? null,
    version: manifest?.version ?? null,
    files: archive?.files ?? [],
    findings,
  };
  return {
    data,
    text: isWell ? `✓ ${who}` : [`✕ ${problem}`, ...findings.map(findingLine)].join("\n"),
    warnings,
    ...(isWell ? {} : { exitCode: exitCodes.check_failed, problem }),
  };
}

// Things the registry accepts but users miss.
function adviceOf({ node }: NodeManifest, files: readonly string[]): string[] {
  const [, licence] = /"file":"([^"]+)"/.exec(String(node["license"] ?? "")) ?? [];
  return [
    ...(node["description"] === undefined ? ["project.description is empty; search results show it."] : []),
    ...(node["repository"] === undefined
      ? ["project.urls.Repository is empty; people cannot find the source code."]
      : []),
    ...(licence === undefined || files.includes(licence)
      ? []
      : [`project.license names ${licence}, which does not exist.`]),
  ];
}

async function publish({ call, input, atelier }: Asked): Promise<CommandResult> {
  const checked = await checkFolder(call.words[0] ?? ".");
  const { manifest, archive, bytes, verdict } = checked;
  const isStopped = (verdict?.length ?? 0) > 0 && !call.has("anyway");
  if (isStopped)
    input.say(
      "Nothing was sent: the registry would flag this version and its number would be used up. Publish it with --anyway.",
    );
  if (manifest === null || archive === null || bytes === null || isStopped) return reportOf(checked);
  const packed = `${manifest.nodeId} ${manifest.version}   ${counted(archive.files.length, "file")}   ${sizeText(bytes.length)} packed`;
  if (call.has("dry-run")) {
    const report = reportOf(checked);
    const text = `${packed}\nDry run for publisher ${manifest.publisherId}. Nothing was sent.`;
    return report.exitCode === undefined ? { ...report, text } : report;
  }
  input.say(`  ${packed}`);
  const token = call.text("token") ?? (input.env["ATELIER_PUBLISHER_TOKEN"] || undefined);
  const version = await atelier.registry.publish({
    publisherId: manifest.publisherId,
    nodeId: manifest.nodeId,
    node: manifest.node,
    version: { ...manifest.nodeVersion, ...given({ changelog: call.text("changelog") }) },
    archive: bytes,
    ...given({ token }),
  });
  const isActive = version.status === "NodeVersionStatusActive";
  const state = stateOf(version.status);
  const problem = `${manifest.nodeId} ${version.version} is ${state}, not active: it is not installed by default.`;
  const found = (version.findings ?? []).map(findingLine);
  const reason = found.length === 0 && version.status_reason !== undefined ? [`  ${version.status_reason}`] : [];
  const next = `Next: atelier nodes install ${manifest.nodeId}@${version.version} -o custom_nodes/`;
  return {
    data: version,
    warnings: adviceOf(manifest, archive.files),
    text: [isActive ? `✓ ${manifest.nodeId} ${version.version} is active` : `✕ ${problem}`, ...found, ...reason].join(
      "\n",
    ),
    afterwards: isActive ? next : wayOut(manifest.nodeId),
    ...(isActive ? {} : { exitCode: exitCodes.check_failed, problem }),
  };
}

function tableOf(nodes: readonly Node[]): CommandResult["text"] {
  const rows = nodes.map((node) => [
    node.id,
    node.latest_version?.version ?? null,
    node.publisher?.id ?? null,
    String(node.downloads),
    node.description || node.name,
  ]);
  return {
    columns: ["id", "latest", "publisher", "installs", "about"],
    rows,
    empty: "No nodes found in this registry.",
  };
}

async function search({ call, atelier }: Asked): Promise<CommandResult> {
  const limit = call.whole("limit", 1, 100) ?? 20;
  const { nodes, total } = await atelier.registry.search(call.words.join(" "), { limit });
  const warnings = total > nodes.length ? [`Showing the first ${nodes.length} of ${total} matches.`] : [];
  return { data: nodes, text: tableOf(nodes), warnings };
}

async function list({ call, atelier }: Asked): Promise<CommandResult> {
  const limit = call.whole("limit", 1, 100_000) ?? 20;
  const publisher = call.text("publisher");
  if (publisher === undefined) {
    const nodes = await take(atelier.registry.list({ pageSize: Math.min(limit, 100) }), limit);
    return { data: nodes, text: tableOf(nodes) };
  }
  const path = `/publishers/${encodeURIComponent(publisher)}/nodes`;
  const all: readonly Node[] = await readAnswer(atelier.request(path));
  return { data: all.slice(0, limit), text: tableOf(all.slice(0, limit)) };
}

// If the version does not exist, lists those that do.
async function throwWithVersions(
  thrown: unknown,
  atelier: Asked["atelier"],
  id: string,
  version: string | undefined,
): Promise<never> {
  if (!(thrown instanceof AtelierError) || thrown.status !== 404 || version === undefined) throw thrown;
  const versions = await atelier.registry.versions(id).catch(() => null);
  if (versions === null) throw thrown;
  const numbers = versions.flatMap((each) => (each.version === undefined ? [] : [each.version])).slice(0, 10);
  throw new ClientProblem("not_there", thrown.code, `${id} has no version ${version}.`, {
    hint: numbers.length === 0 ? "it has no versions yet" : `its versions: ${numbers.join(", ")}`,
  });
}

async function install({ call, atelier }: Asked): Promise<CommandResult> {
  const [, id = "", version] = /^([^@]+)(?:@(.+))?$/.exec(call.words[0] ?? "") ?? [];
  if (id === "") throw wrongCall("nodes", ["Pass a node id, such as my-node or my-node@1.2.0."]);
  const found = await atelier.registry
    .install(id, given({ version }))
    .catch((thrown: unknown) => throwWithVersions(thrown, atelier, id, version));
  if (found.downloadUrl === undefined)
    throw new ClientProblem("not_there", "not_found", `${id} ${found.version} has no archive yet.`);
  const parent = requireFolder(resolve(call.text("output") ?? "."));
  // The server's spelling of the id; its shape cannot lead out of the folder.
  if (!/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(found.node_id))
    throw new ClientProblem(
      "rejected_input",
      "invalid_node",
      `The registry returned a different id: "${found.node_id}".`,
    );
  const { body } = await atelier.request(found.downloadUrl);
  const { folder, files } = await unpackNode(body, join(parent, found.node_id), found.archive_hash);
  const warnings = [
    ...(found.deprecated ? [`${found.node_id} ${found.version} is deprecated by its publisher.`] : []),
    ...(found.dependencies.length > 0 ? [`Dependencies: ${found.dependencies.join(", ")}`] : []),
    ...(await newCapabilities(atelier, found)),
  ];
  return {
    data: { folder, files, version: found.version, dependencies: found.dependencies },
    text: `✓ ${found.node_id} ${found.version}   ${counted(files, "file")}   ${folder}`,
    warnings,
  };
}
