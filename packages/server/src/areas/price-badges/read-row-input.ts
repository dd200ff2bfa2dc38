// Parses an operator's badge. Reports all problems at once, each with its member.

import { type Finding, isPrototypeName, type NodeState } from "../../capabilities/badge-proof/index.ts";
import { hasAtMost } from "../../foundation/json/characters.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import { type AppVersion, compareVersions, parseBoundary } from "./app-version.ts";
import { type BadgeRange, isPlatform, platforms } from "./badge-row.ts";
import { readStates } from "./read-states.ts";

export interface RowInput extends BadgeRange {
  // Not checked here: the proof does that.
  readonly badge: unknown;
  readonly states: readonly NodeState[];
}

export interface InputFinding extends Finding {
  // A JSON pointer into the request.
  readonly path?: string;
}

export type ReadRowInput =
  | { readonly ok: true; readonly input: RowInput }
  | { readonly ok: false; readonly findings: readonly InputFinding[] };

export function readRowInput(body: unknown): ReadRowInput {
  if (!isRecord(body)) return { ok: false, findings: [wrong("", "The body must be a JSON object.")] };
  const findings: InputFinding[] = [];
  const say = (finding: InputFinding | null) => finding && findings.push(finding);
  const nodeId = body["node_id"];
  const fromVersion = versionIn(body["from_version"]);
  const untilVersion = body["until_version"] === undefined ? null : versionOrNullIn(body["until_version"]);
  const states = readStates(body["probes"]);
  say(whyNoNodeId(nodeId));
  say(whyNoPlatforms(body["platforms"]));
  if (fromVersion === undefined) say(wrong("/from_version", notAVersion));
  if (untilVersion === undefined) say(wrong("/until_version", `${notAVersion} null or absent leaves the end open.`));
  if (fromVersion && untilVersion && compareVersions(fromVersion, untilVersion) >= 0) {
    say(wrong("/until_version", "until_version is exclusive and must be above from_version."));
  }
  if (states === null) say(wrong("/probes", "probes must be a list of at most 100 node states."));
  if (typeof nodeId !== "string" || !fromVersion || untilVersion === undefined || !states || findings.length > 0) {
    return { ok: false, findings };
  }
  const wanted = body["platforms"];
  const chosen = platforms.filter((platform) => Array.isArray(wanted) && wanted.includes(platform));
  return {
    ok: true,
    input: { nodeId, platforms: chosen, fromVersion, untilVersion, badge: body["badge"], states },
  };
}

const notAVersion = "A version must be major.minor.patch, three numbers of at most nine digits without leading zeros.";
const nodeIdLengthMax = 256;

export function versionIn(value: unknown): AppVersion | undefined {
  return (typeof value === "string" ? parseBoundary(value) : null) ?? undefined;
}

export function wrong(path: string, message: string): InputFinding {
  return { severity: "error", code: "row", message, ...(path === "" ? {} : { path }) };
}

function whyNoNodeId(value: unknown): InputFinding | null {
  if (typeof value !== "string" || value === "" || !hasAtMost(value, nodeIdLengthMax)) {
    return wrong("/node_id", `node_id must be a string of 1 to ${nodeIdLengthMax} characters.`);
  }
  if (!value.isWellFormed() || /\p{Cc}/u.test(value) || value !== value.trim()) {
    return wrong("/node_id", "node_id must not contain control characters, or start or end with a space.");
  }
  // To every client, a map from ids to badges is an object: such an id would reach into its prototype.
  if (isPrototypeName(value))
    return wrong("/node_id", `"${value}" is a built-in property of every object. Use another name.`);
  return null;
}

function whyNoPlatforms(value: unknown): InputFinding | null {
  const isList = Array.isArray(value) && value.length > 0 && new Set(value).size === value.length;
  if (isList && value.every((one) => typeof one === "string" && isPlatform(one))) return null;
  return wrong("/platforms", "platforms must name cloud, local or both, each once.");
}

function versionOrNullIn(value: unknown): AppVersion | null | undefined {
  return value === null ? null : versionIn(value);
}
