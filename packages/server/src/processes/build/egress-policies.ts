// Which addresses this process may call for each purpose: public https, and what the operator opened with ATELIER_EGRESS_ALLOW.
// Loopback receivers are for development on one machine (decisions, section 4).
import type { Config } from "../../config.ts";
import {
  type EgressAllowance,
  type EgressPurpose,
  readAllowance,
} from "../../foundation/http/outgoing/egress-allow.ts";
import type { EgressPolicy } from "../../foundation/http/outgoing/egress-guard.ts";
import { UsageProblem } from "../commands/command.ts";
import { isDevelopment, type Reach } from "../development.ts";

export type EgressSettings = Reach & Pick<Config, "webhookTargets" | "egressAllow">;

export interface EgressPolicies {
  readonly webhooks: EgressPolicy;
  // Targets that submissions name for their outputs.
  readonly outputs: EgressPolicy;
  readonly scale: EgressPolicy;
}

export interface OwnReach {
  // The ports of our listeners and the application, which are never valid targets. A function, because they are known late.
  ownPorts(): readonly number[];
  // Loopback receivers, as they are at the time of the call.
  targets(): readonly string[];
}

export function egressPolicies(config: EgressSettings, own: OwnReach): EgressPolicies {
  if (config.webhookTargets.length > 0 && !isDevelopment(config)) {
    throw new UsageProblem([
      "ATELIER_WEBHOOK_TARGETS is for development on one machine: this server listens beyond loopback, or has a public address (ATELIER_BASE_URL and the like). To open a private network, use ATELIER_EGRESS_ALLOW.",
    ]);
  }
  const policy = (purpose: EgressPurpose): EgressPolicy => ({
    allowHttp: false,
    allow: allowancesOf(config, purpose),
    get developmentTargets() {
      return own.targets();
    },
    get ownPorts() {
      return own.ownPorts();
    },
  });
  return { webhooks: policy("webhooks"), outputs: policy("outputs"), scale: policy("scale") };
}

// The setting was validated when it was read, so anything that does not parse is skipped.
export function allowancesOf(config: Pick<Config, "egressAllow">, purpose: EgressPurpose): readonly EgressAllowance[] {
  return config.egressAllow
    .map(readAllowance)
    .flatMap((read) => (read.ok && read.allowance.purpose === purpose ? [read.allowance] : []));
}
