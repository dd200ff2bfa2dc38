// Whether the key ring belongs to the database.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { type Finding, problem, well } from "../../foundation/looks/finding.ts";
import { findRingDisagreement } from "./agree-on-ring.ts";
import { openRing, type RingSettings } from "./open-ring.ts";

const name = "key ring";

export async function lookAtRing(config: RingSettings, database: Database, clock: Clock): Promise<Finding> {
  const file = config.secretsFile ?? join(config.home, "secrets.json");
  if (config.secrets === null && !existsSync(file))
    return problem(
      name,
      `not found at ${file}`,
      "restore it from your copy; if it is lost for good: atelier secrets adopt --yes",
    );
  let ring: Awaited<ReturnType<typeof openRing>>;
  try {
    ring = await openRing(config, clock);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return problem(name, reason, "fix this, or restore it from your copy");
  }
  return ringFinding(await findRingDisagreement({ database, ring, clock }));
}

export function ringFinding(disagreement: string | null): Finding {
  if (disagreement === null) return well(name, "matches the database");
  return problem(name, disagreement, "restore the matching secrets.json, or run: atelier secrets adopt --yes");
}
