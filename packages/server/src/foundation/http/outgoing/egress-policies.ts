// Which addresses this process may call for each purpose: public https, and what the operator opened with ATELIER_EGRESS_ALLOW.
// Loopback receivers are for development on one machine (decisions, section 4).
import { type EgressAllowance, type EgressPurpose, readAllowance } from "./egress-allow.ts";
import type { EgressPolicy } from "./egress-guard.ts";

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

export interface EgressSettings {
  readonly egressAllow: readonly string[];
}

export function egressPolicies(settings: EgressSettings, own: OwnReach): EgressPolicies {
  const policy = (purpose: EgressPurpose): EgressPolicy => ({
    allowHttp: false,
    allow: allowancesOf(settings, purpose),
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
export function allowancesOf(settings: EgressSettings, purpose: EgressPurpose): readonly EgressAllowance[] {
  return settings.egressAllow
    .map(readAllowance)
    .flatMap((read) => (read.ok && read.allowance.purpose === purpose ? [read.allowance] : []));
}
