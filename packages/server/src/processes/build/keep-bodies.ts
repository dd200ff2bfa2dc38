// Keeps the bodies of model calls for the workspaces that asked for it.
import { createRequestBodies, type RequestBodies } from "../../capabilities/request-bodies/index.ts";
import { createSealer } from "../../capabilities/secrets/index.ts";
import type { Forgetting } from "../../foundation/bus/forgetting.ts";
import type { Storage } from "../../foundation/database/opening/open-storage.ts";
import type { KnownSecrets } from "../../foundation/known-secrets.ts";
import type { Metrics } from "../../foundation/metrics.ts";
import type { Capabilities } from "./build-capabilities.ts";
import type { ProcessDeps } from "./process-deps.ts";

export interface KeepBodiesDeps extends ProcessDeps {
  readonly database: Storage["database"];
  readonly capabilities: Pick<Capabilities, "keyRing" | "audit">;
  readonly known: KnownSecrets;
  readonly forgetting: Forgetting;
  readonly metrics: Metrics;
}

export async function keepBodies(deps: KeepBodiesDeps): Promise<RequestBodies> {
  const { config, life, metrics } = deps;
  const { keyRing, audit } = deps.capabilities;
  const unkept = metrics.counter(
    "atelier_request_bodies_unkept_total",
    "Requests whose bodies were not stored although their workspace keeps bodies.",
  );
  const bodies = createRequestBodies({
    ...deps,
    keyRing,
    audit,
    sealer: createSealer(keyRing),
    bounds: {
      keepHoursMax: config.bodyKeepHoursMax,
      bodyBytesMax: config.bodyKeepBytesMax,
      workspaceBytesMax: config.bodyKeepWorkspaceBytesMax,
    },
    onUnkept: () => unkept.add(),
  });
  await bodies.look();
  const look = () => bodies.look();
  const tidy = () => bodies.tidy();
  // Other processes usually say so themselves; this is for the case that their message is lost.
  life.repeat({ name: "request bodies: who keeps them", everyMs: 5_000, round: look });
  life.repeat({ name: "request bodies: delete those that ended", role: "background", everyMs: 60_000, round: tidy });
  life.onStop("request bodies", () => bodies.close());
  return bodies;
}
