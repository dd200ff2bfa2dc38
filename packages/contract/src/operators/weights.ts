// Weights: the model files that operators keep on the server, and the workers that fill their folders with them.
import { type Static, Type } from "typebox";
import { pageOf } from "../pagination.ts";
import { entity, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";

const closed = { additionalProperties: false };
const hash = (description: string) => Type.String({ pattern: "^[0-9a-f]{64}$", description });
const blake3 = hash("The BLAKE3 hash of its bytes.");
const bytes = Type.Integer({ minimum: 1, maximum: 2 ** 50, description: "The size in bytes." });
const count = (description: string) => Type.Integer({ minimum: 0, maximum: 2 ** 53 - 1, description });
const path = Type.String({
  minLength: 3,
  maxLength: 1_000,
  description: "Its place below the application's models folder, with forward slashes: checkpoints/base.safetensors.",
});
const licence = Type.String({ maxLength: 200, description: "Under which licence it may be used." });
const note = Type.String({ maxLength: 1_000, description: "Anything that others should know." });
const url = Type.String({ minLength: 1, maxLength: 2_000, description: "Where it is fetched from. https only." });
const problem = nullable(Type.String(), "What went wrong, for people; null if nothing did.");

export const AddWeight = entity(
  "AddWeight",
  "A weight to keep: from files that were uploaded as assets, or from an address. Its size and hash are known beforehand.",
  {
    path,
    blake3,
    bytes,
    parts: Type.Optional(
      Type.Array(hash("The BLAKE3 hash of an asset."), {
        minItems: 1,
        maxItems: 1_000,
        description: "Assets whose bytes make up the weight, in order.",
      }),
    ),
    url: Type.Optional(url),
    licence: Type.Optional(licence),
    note: Type.Optional(note),
  },
  closed,
);

export const ChangeWeight = entity(
  "ChangeWeight",
  "What operators wrote about a weight.",
  {
    licence: Type.Optional(nullable(licence, "Null removes it.")),
    note: Type.Optional(nullable(note, "Null removes it.")),
  },
  closed,
);

const weight = {
  id: Uuid,
  path,
  kind: Type.String({ description: "Its folder: checkpoints, loras." }),
  blake3,
  sha256: nullable(hash("The SHA-256 of its bytes."), "The SHA-256 of its bytes; null until they arrived."),
  bytes,
  state: wordOf(["arriving", "ready", "failed"], { description: "Whether its bytes are here." }),
  bytes_received: count("How many bytes arrived so far."),
  problem,
  url: nullable(url, "Where it was fetched from; null if it was uploaded."),
  licence: nullable(licence, "Under which licence it may be used; null if nobody said."),
  note: nullable(note, "Anything that others should know; null if there is nothing."),
  environments: count("How many kept environments need it."),
  workers: count("How many workers reported it within the last minutes."),
  created_at: Timestamp,
  last_used_at: nullable(Timestamp, "When a worker last had it loaded; null if none did."),
};

export const Weight = entity("Weight", "A model file that is kept on this server.", weight);
export type Weight = Static<typeof Weight>;

export const WeightPage = pageOf(Weight, "WeightPage", "One page of weights, by path.");

export const WeightWithUses = entity("WeightWithUses", "A weight, with what needs it and who has it.", {
  ...weight,
  needed_by: Type.Array(
    Type.Object({ environment_id: Uuid, name: Type.String(), version: Type.Integer({ minimum: 1 }) }),
    { description: "The kept environments that need it." },
  ),
  had_by: Type.Array(Type.Object({ worker_id: Uuid, name: Type.String(), pool_id: Uuid }), {
    description: "The workers that reported it.",
  }),
});
export type WeightWithUses = Static<typeof WeightWithUses>;

const fillState = wordOf(["filling", "filled", "failed"], { description: "How far it is." });
const workerName = Type.String({ minLength: 1, maxLength: 100, description: "The worker's name." });

export const Fill = entity("Fill", "A worker that makes its folder equal to a lock, or has done so.", {
  worker_id: Uuid,
  name: workerName,
  pool_id: Uuid,
  state: fillState,
  bytes_done: count("Bytes that are there."),
  bytes_total: count("Bytes that the lock needs."),
  problem,
  weights: count("How many weights it has or is fetching."),
  is_sharing: Type.Boolean({ description: "Whether neighbours can fetch from it." }),
  accusations: count("How often a neighbour received wrong bytes from it."),
  accused_by: nullable(Type.String(), "The name of the worker that last received wrong bytes from it."),
  seen_at: Timestamp,
});
export type Fill = Static<typeof Fill>;

export const FillList = entity("FillList", "The workers that reported within the last minutes.", {
  data: Type.Array(Fill),
});

const shareUrl = Type.String({
  maxLength: 300,
  pattern: "^https?://[A-Za-z0-9.:\\[\\]-]{1,280}$",
  description: "Where neighbours reach it: http:// or https://, a host and a port.",
});
const shareKey = Type.String({ minLength: 20, maxLength: 100, description: "What neighbours present there." });

export const ReportFill = entity(
  "ReportFill",
  "How far a worker is with filling its folder, and what it can give to neighbours.",
  {
    pool_id: Type.Optional(nullable(Uuid, "The pool; null if the token is for one.")),
    name: workerName,
    state: fillState,
    bytes_done: count("Bytes that are there."),
    bytes_total: count("Bytes that the lock needs."),
    problem: Type.Optional(nullable(Type.String({ maxLength: 500 }), "What went wrong, for people.")),
    share: nullable(
      Type.Object({ url: shareUrl, key: shareKey }, closed),
      "How neighbours reach it; null if not at all.",
    ),
    has: Type.Optional(
      Type.Array(hash("The BLAKE3 hash of a weight."), {
        maxItems: 20_000,
        description: "The weights it has or is fetching. Absent: as before.",
      }),
    ),
    wants: Type.Optional(hash("The weight it is fetching, to learn who else has it.")),
    accuses: Type.Optional(
      Type.Array(Uuid, { maxItems: 100, description: "Neighbours that sent wrong bytes since the last report." }),
    ),
  },
  closed,
);

export const FillNeighbours = entity(
  "FillNeighbours",
  "Who else in the pool has the wanted weight, or is fetching it.",
  {
    neighbours: Type.Array(Type.Object({ worker_id: Uuid, name: Type.String(), url: shareUrl, key: shareKey })),
  },
);
export type FillNeighbours = Static<typeof FillNeighbours>;

export const WeightPieces = entity("WeightPieces", "What each piece of a weight must be, so that any source will do.", {
  blake3,
  sha256: hash("The SHA-256 of its bytes."),
  bytes,
  piece_bytes: Type.Integer({ minimum: 1, description: "The size of a piece; the last one may be shorter." }),
  pieces: Type.String({ description: "The BLAKE3 hashes of the pieces in order, 32 bytes each, in base64." }),
  file: Type.Optional(
    Type.String({ description: "Where its bytes are on this machine. Only for a caller on the same machine." }),
  ),
});
export type WeightPieces = Static<typeof WeightPieces>;
