// The key ring of this server, as configured. A first start creates it.
import { join, resolve } from "node:path";
import type { Clock } from "../../foundation/clock.ts";
import { makeFolder } from "../../foundation/make-folder.ts";
import type { Secret } from "../../foundation/settings.ts";
import { type LiveKeyRing, openKeyRing } from "./key-ring.ts";

export interface RingSettings {
  readonly home: string;
  readonly secrets: Secret | null;
  readonly secretsFile: string | null;
  readonly secretsFurther: Secret | null;
  readonly secretsFurtherFile: string | null;
}

export async function openRing(config: RingSettings, clock: Clock): Promise<LiveKeyRing> {
  const home = resolve(config.home);
  await makeFolder(home);
  return openKeyRing({
    path: config.secretsFile ?? join(home, "secrets.json"),
    createIfMissing: true,
    text: config.secrets?.reveal() ?? null,
    further: furtherRingOf(config),
    clock,
  });
}

function furtherRingOf({ secretsFurther, secretsFurtherFile }: RingSettings) {
  if (secretsFurther !== null) return { text: secretsFurther.reveal() };
  return secretsFurtherFile === null ? null : { path: secretsFurtherFile };
}
