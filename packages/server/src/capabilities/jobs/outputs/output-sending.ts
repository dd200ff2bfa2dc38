// Sends outputs to the targets that submissions name: through the same guard as webhooks, and signed with the same secrets.

import type { Clock } from "../../../foundation/clock.ts";
import type { EgressPolicy } from "../../../foundation/http/outgoing/egress-guard.ts";
import { createGuardedClient } from "../../../foundation/http/outgoing/guarded-client.ts";
import { publicNameResolver } from "../../../foundation/http/outgoing/resolve-public-name.ts";
import type { Assets } from "../../assets/index.ts";
import type { Webhooks } from "../../webhooks/index.ts";

export interface OutputSendingDeps {
  readonly assets: Pick<Assets, "get" | "content">;
  readonly clock: Clock;
  readonly egress: EgressPolicy;
  readonly webhooks: Pick<Webhooks, "sign">;
  // Of the server.
  readonly version: string;
}

export function outputsOf({ assets, clock, egress, webhooks, version }: OutputSendingDeps) {
  const client = createGuardedClient({ policy: egress, clock, resolve: publicNameResolver() });
  return { assets, client, sign: webhooks.sign, userAgent: `Atelier/${version}` };
}
