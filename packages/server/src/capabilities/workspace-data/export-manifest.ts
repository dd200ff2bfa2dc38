// The manifest of an export: what it is, where it comes from, and a hash of each list. Files are named in the lists, with their
// hashes, so the signature of the manifest reaches every byte.
import { Fault } from "../../foundation/fault.ts";
import { parseId, type WorkspaceId } from "../../foundation/ids.ts";
import { isRecord } from "../../foundation/json/json-record.ts";

export const manifestName = "export.json";
export const signatureName = "export.sig";
export const filesName = "files";
export const listFile = (name: string) => `${name}.jsonl`;
export const exportFormat = 1;

export interface ExportManifest {
  readonly format: typeof exportFormat;
  readonly workspace: { readonly id: WorkspaceId; readonly name: string };
  readonly server: { readonly address: string; readonly version: string; readonly schema: number };
  readonly exported_at: string;
  // Where it is moving to. Null: it was exported without a move, and may have gone on working.
  readonly moving_to: string | null;
  // What was still running, by plural name.
  readonly open: Readonly<Record<string, number>>;
  // Available ones, in millionths.
  readonly micro_credits: string;
  readonly lists: Readonly<Record<string, ExportedList>>;
  // Files whose bytes the server no longer had, by name.
  readonly missing: readonly string[];
}

export interface ExportedList {
  readonly rows: number;
  readonly sha256: string;
}

// Throws validation_failed. Only what its signer's server could have written is let through.
export function readManifest(text: string): ExportManifest {
  const read = parsed(text);
  if (!isRecord(read)) throw wrong("is not an object");
  if (read["format"] !== exportFormat)
    throw wrong(`has the format ${JSON.stringify(read["format"])}; this server reads format ${exportFormat}`);
  const { workspace, server, exported_at: at, moving_to: to = null, micro_credits: credits } = read;
  const id = isRecord(workspace) && typeof workspace["id"] === "string" ? parseId<"workspace">(workspace["id"]) : null;
  if (!isRecord(workspace) || id === null || typeof workspace["name"] !== "string") throw wrong("names no workspace");
  if (!isRecord(server) || !Number.isSafeInteger(server["schema"])) throw wrong("names no server");
  if (typeof at !== "string" || Number.isNaN(Date.parse(at))) throw wrong("does not say when it was made");
  if (typeof credits !== "string" || !/^\d{1,18}$/.test(credits)) throw wrong("does not say what was left of credits");
  return {
    format: exportFormat,
    workspace: { id, name: workspace["name"] },
    server: {
      address: String(server["address"]),
      version: String(server["version"]),
      schema: Number(server["schema"]),
    },
    exported_at: at,
    moving_to: typeof to === "string" ? to : null,
    open: countsOf(read["open"]),
    micro_credits: credits,
    lists: listsOf(read["lists"]),
    missing: Array.isArray(read["missing"]) ? read["missing"].map(String) : [],
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong("is not JSON");
  }
}

function listsOf(given: unknown): ExportManifest["lists"] {
  if (!isRecord(given)) throw wrong("has no lists");
  const entries = Object.entries(given).map(([name, list]): [string, ExportedList] => {
    if (!isRecord(list)) throw wrong(`does not describe the list ${name}`);
    const { rows, sha256 } = list;
    if (!Number.isSafeInteger(rows) || typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256))
      throw wrong(`does not describe the list ${name}`);
    return [name, { rows: Number(rows), sha256 }];
  });
  return Object.fromEntries(entries);
}

function countsOf(given: unknown): ExportManifest["open"] {
  const entries = isRecord(given) ? Object.entries(given) : [];
  return Object.fromEntries(entries.map(([name, count]) => [name, Number(count)]));
}

const wrong = (what: string) => new Fault("validation_failed", `${manifestName} ${what}.`);
