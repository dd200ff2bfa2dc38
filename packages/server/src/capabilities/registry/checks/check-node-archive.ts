// Runs the registry's checks locally before anything is published. An uploaded version number is used up whatever the verdict,
// so the publisher should hear it first. Uses the built-in rules; a registry may have more.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { sourceOf } from "../../../foundation/byte-source.ts";
import { silentLog } from "../../../foundation/log.ts";
import { createArchiveChecks } from "./archive-checks.ts";
import { builtInRules } from "./built-in-rules.ts";
import { type DeclaredIdentity, normalizeVersion } from "./manifest.ts";

export interface CheckFinding {
  readonly code: string;
  readonly message: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

export async function checkNodeArchive(bytes: Uint8Array, node: DeclaredIdentity): Promise<readonly CheckFinding[]> {
  const folder = await mkdtemp(join(tmpdir(), "atelier-check-"));
  const checks = await createArchiveChecks({ folder, ruleSet: builtInRules, log: silentLog });
  try {
    const stream = Readable.from([bytes]);
    const declared = { ...node, version: normalizeVersion(node.version) ?? node.version };
    const archive = { size: bytes.length, stream, source: sourceOf(stream) };
    const report = await checks.check(archive, declared, new AbortController().signal);
    return report?.findings ?? [{ code: "check_gave_up", message: "The checks did not finish." }];
  } finally {
    await checks.close();
    await rm(folder, { recursive: true, force: true });
  }
}
