// The gateway of the router benches, in front of the bench's own provider.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AtelierOptions, atelier, type Started } from "./processes.ts";

export const benchKey = "service-bench-0123456789abcdefghijklmnop";

// For suites that fill the queue. On a busy machine it grows old, but overload is not what we measure.
export const patient: AtelierOptions = { env: { ATELIER_ENGINE_SLOTS: "0", ATELIER_QUEUE_AGE_MS_MAX: "60000" } };

export function startGateway(home: string, definition: object, more: AtelierOptions = {}): Promise<Started> {
  const file = join(home, "bench-provider.json");
  writeFileSync(file, JSON.stringify(definition));
  const env = {
    ATELIER_PROVIDERS: file,
    ATELIER_SANDBOX: "off",
    ATELIER_BOOTSTRAP_KEY: benchKey,
    ATELIER_BOOTSTRAP_CREDITS: "1000000000",
    ...more.env,
  };
  return atelier(home, true, { ...more, env });
}
