// The operator's safety hook, if there is one. Its address is the operator's own word, so on this machine it may also be called
// over http; a private network must be opened for it.

import type { Clock } from "../../foundation/clock.ts";
import { checkTarget, type EgressPolicy, isLoopback } from "../../foundation/http/outgoing/egress-guard.ts";
import { allowancesOf } from "../../foundation/http/outgoing/egress-policies.ts";
import { createGuardedClient } from "../../foundation/http/outgoing/guarded-client.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";
import type { Metrics } from "../../foundation/metrics.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { createSafetyHook } from "./ask-hook.ts";
import { readHookSecret, type SafetySettings, safetyProblems } from "./hook-settings.ts";
import type { SafetyHook } from "./safety-hook.ts";
import { safetyMeter } from "./safety-metrics.ts";

export interface SafetyConfig extends SafetySettings {
  readonly safetyHookStages: readonly string[];
  readonly safetyHookModels: readonly string[];
  readonly safetyHookMsMax: number;
  readonly safetyHookBytesMax: number;
  readonly egressAllow: readonly string[];
}

interface HookDeps {
  readonly config: SafetyConfig;
  readonly clock: Clock;
  readonly log: Log;
  // Of the server.
  readonly version: string;
}

// A server whose operator did not say what happens while the hook is away does not start.
export function requireSafety(config: SafetyConfig): void {
  const problems = allSafetyProblems(config);
  if (problems.length > 0) throw new UsageProblem(problems);
}

export function allSafetyProblems(config: SafetyConfig): string[] {
  const url = config.safetyHookUrl;
  if (url === null) return [];
  const target = checkTarget(url, policyOf(config, url));
  return [
    ...safetyProblems(config),
    ...(target.ok
      ? []
      : [
          `ATELIER_SAFETY_HOOK_URL may not be called (${target.reason}): use https, or an address of this machine, or open its network with ATELIER_EGRESS_ALLOW=safety=…`,
        ]),
  ];
}

export function buildSafety(
  deps: HookDeps & { readonly life: Lifecycle; readonly metrics: Metrics },
): SafetyHook | null {
  const { config, life, metrics } = deps;
  const hook = openSafety({ ...deps, meter: config.safetyHookUrl === null ? null : safetyMeter(metrics.registry) });
  if (hook !== null) life.onStop("safety hook", () => hook.close());
  return hook;
}

// Also for `atelier doctor`, which counts nothing.
export function openSafety({
  config,
  clock,
  log,
  version,
  meter,
}: HookDeps & { readonly meter: ReturnType<typeof safetyMeter> | null }): SafetyHook | null {
  const { safetyHookUrl: url, safetyHookOnFailure: onFailure } = config;
  const secret = readHookSecret(config.safetyHookSecret);
  if (url === null || onFailure === null || secret === null) return null;
  const { safetyHookModels: models, safetyHookMsMax: msMax, safetyHookBytesMax: bytesMax } = config;
  const stages = (["input", "answer"] as const).filter((stage) => config.safetyHookStages.includes(stage));
  return createSafetyHook({
    client: createGuardedClient({ policy: policyOf(config, url), clock }),
    clock,
    log,
    meter: meter ?? { asked: () => undefined },
    userAgent: `Atelier/${version}`,
    ...{ url, secret, msMax, onFailure, stages, models, bytesMax },
  });
}

function policyOf(config: Pick<SafetyConfig, "egressAllow">, address: string): EgressPolicy {
  const url = new URL(address);
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const isHere = name === "localhost" || isLoopback(name);
  return {
    allowHttp: false,
    allow: allowancesOf(config, "safety"),
    developmentTargets: isHere ? [`${url.hostname}:${port}`] : [],
  };
}
