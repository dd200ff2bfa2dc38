// Parses the query of the asset list. An unreadable parameter is reported, never ignored: a filter that is silently dropped
// would show more than requested.
import { type AssetKind, assetKinds, type ListAssets, type ThumbnailSide } from "../../../capabilities/assets/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { readPageSize } from "../../../foundation/http/page-query.ts";
import { singleParameter } from "../../../foundation/http/query.ts";
import { newId, parseId } from "../../../foundation/ids.ts";
import { hasAtMost } from "../../../foundation/json/characters.ts";
import { parseMoment } from "../../../foundation/moment.ts";
import { readHashText } from "./asset-fields.ts";

export function readAssetQuery(query: URLSearchParams): Omit<ListAssets, "workspaceId"> {
  const job = readOne(query, "job");
  return {
    tag: readOne(query, "tag"),
    kind: readKind(readOne(query, "kind")),
    // A malformed id names no job, so the list must be empty, as for a job without assets.
    jobId: job === null ? null : (parseId<"job">(job) ?? newId<"job">()),
    source: readSource(readOne(query, "source")),
    name: readName(readOne(query, "q")),
    // A malformed hash matches nothing.
    hash: readHash(readOne(query, "hash")),
    createdFrom: readMoment("created_from", readOne(query, "created_from")),
    createdBefore: readMoment("created_before", readOne(query, "created_before")),
    expiresBefore: readMoment("expires_before", readOne(query, "expires_before")),
    limit: readPageSize(readOne(query, "limit")),
    cursor: readOne(query, "cursor"),
  };
}

export function readThumbnailSide(query: URLSearchParams): ThumbnailSide {
  const size = readOne(query, "size") ?? "512";
  if (size !== "128" && size !== "512") throw new Fault("invalid_request", "size must be 128 or 512.");
  return size === "128" ? 128 : 512;
}

function readOne(query: URLSearchParams, name: string): string | null {
  const found = singleParameter(query, name);
  if (found.kind === "absent") return null;
  if (found.kind === "value") return found.value;
  throw new Fault("invalid_request", `The query parameter ${name} is ${found.kind}.`);
}

function readKind(text: string | null): AssetKind | null {
  if (text === null) return null;
  const kind = assetKinds.find((one) => one === text);
  if (kind === undefined) throw new Fault("invalid_request", `kind must be one of ${assetKinds.join(", ")}.`);
  return kind;
}

function readSource(text: string | null): "upload" | "output" | null {
  if (text === null || text === "upload" || text === "output") return text;
  throw new Fault("invalid_request", "source must be upload or output.");
}

const nameCharactersMax = 200;

function readName(text: string | null): string | null {
  if (text === null || (hasAtMost(text, nameCharactersMax) && text.isWellFormed() && !text.includes("\0"))) return text;
  throw new Fault("invalid_request", `q must have at most ${nameCharactersMax} characters.`);
}

function readHash(text: string | null): string | null {
  return text === null ? null : (readHashText(text) ?? "");
}

function readMoment(name: string, text: string | null): Date | null {
  const moment = text === null ? null : parseMoment(text);
  if (text === null || moment !== null) return moment;
  throw new Fault("invalid_request", `${name} must be a time such as 2026-01-31T12:00:00Z.`);
}
