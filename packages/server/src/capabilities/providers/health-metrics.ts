// Which providers this process keeps away from, for alerts. Workspaces' own credentials are counted together: their owners, not
// the operator, can fix them.
import { Gauge, type Registry } from "prom-client";
import type { ProviderHealth } from "./provider-health.ts";

const providersMax = 200;

export function registerHealthMetrics(registry: Registry, health: Pick<ProviderHealth, "list">): void {
  const open = new Gauge({
    name: "atelier_provider_circuits_open",
    help: "Circuits that are open or half open, by provider and whose credential it is.",
    labelNames: ["provider", "credential"],
    registers: [registry],
    collect() {
      open.reset();
      for (const { provider, credentialOf, circuit } of health.list().slice(0, providersMax))
        open.inc({ provider, credential: credentialOf === null ? "server" : "own" }, circuit === "closed" ? 0 : 1);
    },
  });
}
