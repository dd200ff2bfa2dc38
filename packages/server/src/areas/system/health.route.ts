// The process's health. Always answered, even while everything else is refused.
import { healthChallengePattern, operations } from "@atelier/contract";
import { jsonAnswer, type Route } from "../../foundation/http/area.ts";
import type { SystemDeps } from "./system-deps.ts";

const challengePattern = new RegExp(healthChallengePattern);

export function getHealthRoute({ prove }: Pick<SystemDeps, "prove">): Route<undefined> {
  return {
    operation: operations.getHealth,
    isAlwaysAnswered: true,
    handle: ({ query, headers }) => {
      const challenge = query.get("challenge") ?? "";
      const isAsked = prove !== undefined && challengePattern.test(challenge);
      const proof = isAsked ? { proof: prove(headers.host ?? "", challenge) } : {};
      return jsonAnswer(200, { status: "ok", ...proof });
    },
  };
}

export function getLivenessRoute(): Route<undefined> {
  return {
    operation: operations.getLiveness,
    isAlwaysAnswered: true,
    handle: () => jsonAnswer(200, { status: "ok" }),
  };
}

export function getReadinessRoute({ look }: Pick<SystemDeps, "look">): Route<undefined> {
  return {
    operation: operations.getReadiness,
    isAlwaysAnswered: true,
    async handle() {
      const verdict = await look();
      const isReady = verdict.status === "ready";
      return jsonAnswer(isReady ? 200 : 503, verdict, isReady ? {} : { "retry-after": "1" });
    },
  };
}

export function getMetricsRoute<Caller>(metricsText: () => Promise<string>): Route<Caller> {
  return {
    operation: operations.getMetrics,
    isAlwaysAnswered: true,
    handle: async () => ({
      status: 200,
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
      body: await metricsText(),
    }),
  };
}
