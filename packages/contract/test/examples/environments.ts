// Environments as operators keep them, and the lock inside.
import { type Example, time, uuid } from "./example.ts";

const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const file = { path: "nodes.py", bytes: 2_048, sha256: hash };
const weight = { path: "checkpoints/base.safetensors", bytes: 4_000_000_000, sha256: hash, blake3: hash };
const pack = {
  name: "studio-nodes",
  id: "studio-nodes",
  version: "1.2.0",
  commit: "5f3c1e0b7a9d4c2e8f6a1b3c5d7e9f0a2b4c6d8e",
  files: [file],
};
const lock = {
  atelier_lock: 1,
  application: { version: "0.30.0", commit: null },
  packs: [pack],
  python: { version: "3.12.4", packages: { torch: "2.8.0" } },
  weights: [weight],
  classes: { KSampler: "0a1b2c3d4e5f6071" },
  arguments: ["--force-fp16"],
};
const environment = {
  id: uuid,
  name: "portraits",
  version: 3,
  lock_id: hash,
  note: "new upscaler",
  application_version: "0.30.0",
  packs: 1,
  weights: 1,
  weight_bytes: 4_000_000_000,
  created_at: time,
};
const difference = { part: "pack", name: "studio-nodes", change: "changed", words: "1.2.0 → 1.2.1; nodes.py changed" };

export const environmentExamples: Record<string, Example> = {
  LockedFile: { good: file, broken: { path: "", bytes: -1, sha256: "9f86" } },
  LockedWeight: { good: weight, broken: { path: undefined, bytes: 1.5, blake3: undefined } },
  LockedPack: { good: pack, broken: { name: "", commit: "HEAD", files: null, version: "" } },
  EnvironmentLock: {
    good: lock,
    broken: { atelier_lock: 2, application: null, packs: undefined, python: [], weights: {}, classes: "all" },
  },
  SaveEnvironment: { good: { name: "portraits", lock }, broken: { name: " ", note: 1, lock: undefined } },
  Environment: { good: environment, broken: { version: 0, lock_id: "latest", weight_bytes: "4 GB", created_at: null } },
  EnvironmentPage: {
    good: { data: [environment], has_more: false, limit: 20 },
    broken: { data: null, has_more: undefined },
  },
  EnvironmentWithLock: { good: { ...environment, lock }, broken: { lock: undefined, name: "" } },
  EnvironmentDifference: { good: difference, broken: { part: "weather", change: "moved", words: null } },
  EnvironmentDifferences: { good: { data: [difference], total: 1 }, broken: { data: undefined, total: -1 } },
};
