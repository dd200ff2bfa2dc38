// How many processes an installation runs on one machine, what each of them does, and how it is monitored and stopped.
import { isolationLevels } from "@atelier/engine/isolation";
import { choiceSetting, integerSetting, listSetting, optionalIntegerSetting } from "./foundation/settings.ts";

export const roles = ["gateway", "background", "webhooks", "engine"] as const;
export type Role = (typeof roles)[number];

export const processSettings = {
  drainSeconds: optionalIntegerSetting({
    env: "ATELIER_DRAIN_SECONDS",
    default: null,
    min: 0,
    max: 3600,
    about:
      "How long running requests may take to finish after a stop signal. Default: 5 in development (on loopback, without a public URL), otherwise the router's deadline + 30.",
  }),
  processes: integerSetting({
    env: "ATELIER_PROCESSES",
    default: 1,
    min: 1,
    max: 128,
    about:
      "How many processes serve the same port; use one per core on a busy machine. The first one also runs graphs and the sandbox. With ATELIER_METRICS_PORT, each process has its own metrics port, counting up from that one.",
  }),
  roles: listSetting({
    env: "ATELIER_ROLES",
    default: roles,
    item: (text) => (roles.some((role) => role === text) ? null : `is not a role; the roles are ${roles.join(", ")}`),
    about:
      "What this process does: gateway serves callers; background cleans up, takes over lost calls, polls partners and runs queued model calls; webhooks delivers webhooks and outputs; engine runs graphs. An installation needs every role in some process.",
  }),
  isolation: choiceSetting({
    env: "ATELIER_ISOLATION",
    default: "auto",
    choices: ["auto", ...isolationLevels],
    about:
      "How child processes that run graphs and open pictures, archives and badges are walled off. auto takes the strongest level that works on this machine; a level that is named and does not work stops the start. See docs/ISOLATION.md.",
  }),
  drainNoticeSeconds: optionalIntegerSetting({
    env: "ATELIER_DRAIN_NOTICE_SECONDS",
    default: null,
    min: 0,
    max: 300,
    about:
      "How long only /readyz reports a stop signal (503) before draining begins, so that load balancers stop sending requests. Default: 0 in development, otherwise 5.",
  }),
  metricsPort: optionalIntegerSetting({
    env: "ATELIER_METRICS_PORT",
    default: null,
    min: 0,
    max: 65535,
    about:
      "A separate port for /metrics, /livez and /readyz without a credential; keep it inside your monitoring network. Default: none. A process without the gateway role then serves these at ATELIER_PORT on loopback.",
  }),
};
