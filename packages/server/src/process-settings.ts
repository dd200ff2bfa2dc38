// How many processes an installation runs on one machine, what each of them does, and how it is monitored and stopped.
import { integerSetting, listSetting, optionalIntegerSetting } from "./foundation/settings.ts";

export const roles = ["gateway", "background", "webhooks", "engine"] as const;
export type Role = (typeof roles)[number];

export const processSettings = {
  drainSeconds: optionalIntegerSetting({
    env: "ATELIER_DRAIN_SECONDS",
    default: null,
    min: 0,
    max: 3600,
    about:
      "How long running requests may take to finish after a stop signal; 5 in development (on loopback, without a public address), else the router's deadline + 30, if absent.",
  }),
  processes: integerSetting({
    env: "ATELIER_PROCESSES",
    default: 1,
    min: 1,
    max: 128,
    about:
      "How many processes answer at the same port, one for each core of a busy machine. The first one also runs graphs and the sandbox; with ATELIER_METRICS_PORT each has a port of its own, counted up from it.",
  }),
  roles: listSetting({
    env: "ATELIER_ROLES",
    default: roles,
    item: (text) => (roles.some((role) => role === text) ? null : `is no role: there are ${roles.join(", ")}`),
    about:
      "What this process does: gateway answers callers, background keeps house, takes over lost calls, asks partners and runs queued model calls, webhooks sends webhooks and outputs to their receivers, engine runs graphs. Some process of an installation must do each.",
  }),
  drainNoticeSeconds: optionalIntegerSetting({
    env: "ATELIER_DRAIN_NOTICE_SECONDS",
    default: null,
    min: 0,
    max: 300,
    about:
      "How long after a stop signal only /readyz says so (503), so that load balancers send nothing new, before the drain begins; 0 in development, else 5, if absent.",
  }),
  metricsPort: optionalIntegerSetting({
    env: "ATELIER_METRICS_PORT",
    default: null,
    min: 0,
    max: 65535,
    about:
      "A port of its own for /metrics, /livez and /readyz, without a credential, for the network of your monitoring alone; none if absent. A process without the role gateway answers these at ATELIER_PORT on loopback then.",
  }),
};
