// Weights as operators see them, and what workers that fill their folders say.
import { type Example, time, uuid } from "./example.ts";

const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const path = "checkpoints/base.safetensors";
const weight = {
  id: uuid,
  path,
  kind: "checkpoints",
  blake3: hash,
  sha256: hash,
  bytes: 4_000_000_000,
  state: "ready",
  bytes_received: 4_000_000_000,
  problem: null,
  url: null,
  licence: "openrail++",
  note: null,
  environments: 1,
  workers: 2,
  created_at: time,
  last_used_at: null,
};
const fill = {
  worker_id: uuid,
  name: "rack-1",
  pool_id: uuid,
  state: "filling",
  bytes_done: 1_000,
  bytes_total: 2_000,
  problem: null,
  weights: 3,
  is_sharing: true,
  accusations: 0,
  accused_by: null,
  seen_at: time,
};
const share = { url: "http://10.0.0.5:9190", key: "0123456789abcdef0123456789abcdef" };
const report = { name: "rack-1", state: "filling", bytes_done: 0, bytes_total: 10, share, has: [hash], wants: hash };

export const weightExamples: Record<string, Example> = {
  AddWeight: {
    good: { path, blake3: hash, bytes: 12, url: "https://models.example/base.safetensors" },
    broken: { path: "a", blake3: "latest", bytes: 0, parts: [], url: "", licence: 1, note: 2 },
  },
  ChangeWeight: { good: { licence: null, note: "for portraits" }, broken: { licence: 1, note: [] } },
  Weight: {
    good: weight,
    broken: { id: "1", kind: undefined, sha256: "no", state: "lost", environments: -1, created_at: null },
  },
  WeightPage: { good: { data: [weight], has_more: false, limit: 20 }, broken: { data: null, has_more: undefined } },
  WeightWithUses: {
    good: {
      ...weight,
      needed_by: [{ environment_id: uuid, name: "portraits", version: 2 }],
      had_by: [{ worker_id: uuid, name: "rack-1", pool_id: uuid }],
    },
    broken: { needed_by: undefined, had_by: "all" },
  },
  Fill: { good: fill, broken: { worker_id: "rack-1", state: "idle", bytes_done: -1, is_sharing: 1, seen_at: null } },
  FillList: { good: { data: [fill] }, broken: { data: undefined } },
  ReportFill: {
    good: report,
    broken: { name: "", state: "idle", bytes_total: 1.5, share: undefined, has: ["a"], wants: "b", accuses: ["c"] },
  },
  FillNeighbours: {
    good: { neighbours: [{ worker_id: uuid, name: "rack-2", ...share }] },
    broken: { neighbours: undefined },
  },
  WeightPieces: {
    good: { blake3: hash, sha256: hash, bytes: 12, piece_bytes: 1_048_576, pieces: "AAAA" },
    broken: { blake3: "1", sha256: null, bytes: 0, piece_bytes: 0, pieces: undefined },
  },
};
