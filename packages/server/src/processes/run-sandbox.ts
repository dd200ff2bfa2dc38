// The sandbox providers beside the server: a separate child process on loopback, killable, without our environment. When it
// dies it is restarted on the same port. Its models become an ordinary provider definition.
import { randomBytes } from "node:crypto";
import type { StandInModel } from "@atelier/sandbox/beside";
import { type PartnerLocation, sandboxPartnerLocations } from "../capabilities/partners/index.ts";
import { type ProviderDefinition, sandboxDefinition } from "../capabilities/providers/index.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Lifecycle } from "../foundation/lifecycle.ts";
import type { Log } from "../foundation/log.ts";
import { Secret } from "../foundation/settings.ts";

// A running sandbox, for further processes of the same server.
export interface SharedSandbox {
  readonly url: string;
  readonly credential: string;
  readonly partners: Readonly<
    Record<"partner-a" | "partner-b", { readonly key: string; readonly callbackSecret: string }>
  >;
}

export interface Sandbox {
  readonly shared: SharedSandbox;
  readonly definition: ProviderDefinition;
  // Credentials and secrets of everything in it, keyed by the names of their settings. They are valid only for its own URLs;
  // anywhere else the operator's apply.
  readonly secrets: ReadonlyMap<string, Secret>;
  readonly partners: { readonly partnerA: PartnerLocation; readonly partnerB: PartnerLocation };
}

export const credentialName = "ATELIER_PROVIDER_SANDBOX_KEY";

export async function runSandbox(
  deps: { life: Lifecycle; log: Log; clock: Clock },
  standIns: readonly StandInModel[] = [],
): Promise<Sandbox> {
  const { spawnSandbox } = await import("@atelier/sandbox/beside");
  const credential = randomBytes(24).toString("base64url");
  const random = () => randomBytes(24).toString("base64url");
  const partners = {
    "partner-a": { key: random(), callbackSecret: random() },
    "partner-b": { key: random(), callbackSecret: random() },
  };
  let running = await spawnSandbox({ credential, partners, standIns });
  const { port, url } = running;
  const watch = async () => {
    while (!deps.life.stopping.aborted) {
      await running.ended;
      if (deps.life.stopping.aborted) return;
      deps.log.warn({}, "the sandbox exited; restarting it");
      await deps.clock.sleep(500, deps.life.stopping);
      running = await spawnSandbox({ credential, port, partners, standIns }).catch((error: unknown) => {
        deps.log.error({ err: error }, "the sandbox could not be restarted");
        return running;
      });
    }
  };
  void watch();
  deps.life.onStop("sandbox", () => running.close());
  return sandboxAt({ url, credential, partners });
}

// Also works for a sandbox that another process runs.
export async function sandboxAt(shared: SharedSandbox): Promise<Sandbox> {
  const { sandboxModels } = await import("@atelier/sandbox/beside");
  const { url, credential, partners } = shared;
  return {
    shared,
    definition: sandboxDefinition(url, sandboxModels, { kind: "bearer", setting: credentialName }),
    secrets: new Map([
      [credentialName, new Secret(credential)],
      ["ATELIER_PROVIDER_PARTNER_A_KEY", new Secret(partners["partner-a"].key)],
      ["ATELIER_PROVIDER_PARTNER_A_SECRET", new Secret(partners["partner-a"].callbackSecret)],
      ["ATELIER_PROVIDER_PARTNER_B_KEY", new Secret(partners["partner-b"].key)],
      ["ATELIER_PROVIDER_PARTNER_B_SECRET", new Secret(partners["partner-b"].callbackSecret)],
    ]),
    partners: sandboxPartnerLocations(url, { kind: "bearer", setting: credentialName }),
  };
}
