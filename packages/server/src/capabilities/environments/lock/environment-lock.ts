// A lock: everything that decides what an application makes of a graph, written down so that another machine can be
// compared with it. Two machines with equal locks run a graph the same way. A lock names no machine, time or person, so the same
// environment always has the same id.
import { createHash } from "node:crypto";
import { canonicalJson } from "../../../foundation/json/json-canonical.ts";

export interface LockedFile {
  // Relative, with forward slashes.
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface LockedWeight extends LockedFile {
  readonly blake3: string;
}

export interface LockedPack {
  // Its folder or file in custom_nodes.
  readonly name: string;
  // As its pyproject.toml names it. Null if it has none.
  readonly id: string | null;
  readonly version: string | null;
  // The commit that is checked out. Null outside of a repository.
  readonly commit: string | null;
  readonly files: readonly LockedFile[];
}

export interface LockedPython {
  readonly version: string;
  // By name, in lower case with dashes.
  readonly packages: Readonly<Record<string, string>>;
}

export interface EnvironmentLock {
  readonly atelier_lock: 1;
  readonly application: { readonly version: string; readonly commit: string | null };
  // By name.
  readonly packs: readonly LockedPack[];
  // Null if Python was left out.
  readonly python: LockedPython | null;
  // By path.
  readonly weights: readonly LockedWeight[];
  // Node class → fingerprint of its inputs and outputs. Null if the application was not running.
  readonly classes: Readonly<Record<string, string>> | null;
  // What the application was started with, without addresses and folders. Null if it was not running.
  readonly arguments: readonly string[] | null;
}

// 64 hexadecimal digits.
export function lockId(lock: EnvironmentLock): string {
  return createHash("sha256").update(canonicalJson(lock)).digest("hex");
}

// For people and for git: one entry per line, in a fixed order.
export function lockText(lock: EnvironmentLock): string {
  return `${JSON.stringify(lock, null, 1)}\n`;
}

// A path that stays below the folder it is joined to, on every operating system.
export function isInsidePath(path: string): boolean {
  if (path === "" || path.length > 1_000 || /[\\\0:]/.test(path)) return false;
  return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}
