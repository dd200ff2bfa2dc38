// Whether the operator's safety hook gives a verdict: it is asked once, about a call that does not exist.

import { systemClock } from "../../foundation/clock.ts";
import { newId } from "../../foundation/ids.ts";
import { noLabels } from "../../foundation/json/labels.ts";
import { silentLog } from "../../foundation/log.ts";
import { type Finding, problem, warning, well } from "../../foundation/looks/finding.ts";
import { allSafetyProblems, openSafety, type SafetyConfig } from "./open-safety.ts";

// The model that it is asked about.
export const askedModel = "atelier/doctor";

export async function lookAtSafety(config: SafetyConfig, version: string): Promise<Finding[]> {
  if (config.safetyHookUrl === null) return [];
  const problems = allSafetyProblems(config);
  if (problems.length > 0)
    return problems.map((words) => problem("safety hook", words, "the server does not start with this"));
  const hook = openSafety({ config, clock: systemClock, log: silentLog, version, meter: null });
  if (hook === null) return [];
  try {
    const [stage = "input"] = (["input", "answer"] as const).filter((each) => config.safetyHookStages.includes(each));
    const callId = newId<"call">();
    const { ms, verdict } = await hook.ask({
      stage,
      callId,
      requestId: null,
      workspaceId: newId<"workspace">(),
      model: askedModel,
      labels: noLabels,
      contentType: "application/json",
      bytes: Buffer.from('{"prompt":"atelier doctor asks whether you answer"}'),
    });
    if (verdict.kind !== "failed") return [well("safety hook", `gives a verdict in ${ms} ms`)];
    const mend = `start it, or check ATELIER_SAFETY_HOOK_URL; until then ${
      verdict.mayPass ? "calls pass unchecked" : "every call that it should see fails"
    }`;
    return [(verdict.mayPass ? warning : problem)("safety hook", `no verdict: ${verdict.reason}`, mend)];
  } finally {
    await hook.close();
  }
}
