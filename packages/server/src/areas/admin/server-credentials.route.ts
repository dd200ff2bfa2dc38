// This server's own credentials at providers: listed, added, removed and tested while it runs.
import { operations, PutServerCredential, type ServerCredential } from "@atelier/contract";
import type { ActingOnProviders, ConnectionCheck } from "../../capabilities/providers/index.ts";
import { type AdminCaller, actingAsAdmin } from "../../capabilities/tokens/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Incoming, type Route, route } from "../../foundation/http/area.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { freshAnswer } from "./fresh-answer.ts";

interface Known {
  readonly provider: string;
  readonly setting: string;
  readonly source: ServerCredential["source"];
  readonly models: number;
  readonly updatedAt: Date | null;
}

export interface ServerCredentialDeps {
  readonly serverCredentials: {
    list(): Promise<readonly Known[]>;
    put(provider: string, text: string, by: ActingOnProviders): Promise<void>;
    remove(provider: string, by: ActingOnProviders): Promise<void>;
    check(provider: string): Promise<ConnectionCheck>;
  };
}

export function listServerCredentialsRoute({ serverCredentials }: ServerCredentialDeps): Route<AdminCaller> {
  return route(operations.listServerCredentials, async () =>
    freshAnswer(200, { data: (await serverCredentials.list()).map(present) }),
  );
}

export function putServerCredentialRoute({ serverCredentials }: ServerCredentialDeps): Route<AdminCaller> {
  return route(operations.putServerCredential, async (incoming) => {
    const provider = readName(incoming);
    const { value } = requireValid(PutServerCredential, await incoming.json());
    await serverCredentials.put(provider, value, actingAsAdmin(incoming.caller, incoming.requestId));
    const found = (await serverCredentials.list()).find((each) => each.provider === provider);
    if (!found) throw new Fault("not_found", "There is no such provider.");
    return freshAnswer(200, present(found));
  });
}

export function deleteServerCredentialRoute({ serverCredentials }: ServerCredentialDeps): Route<AdminCaller> {
  return route(operations.deleteServerCredential, async (incoming) => {
    await serverCredentials.remove(readName(incoming), actingAsAdmin(incoming.caller, incoming.requestId));
    return { status: 204 };
  });
}

export function checkProviderRoute({ serverCredentials }: ServerCredentialDeps): Route<AdminCaller> {
  return route(operations.checkProvider, async (incoming) =>
    freshAnswer(200, await serverCredentials.check(readName(incoming))),
  );
}

function present({ provider, setting, source, models, updatedAt }: Known): ServerCredential {
  return { provider, setting, source, models, updated_at: updatedAt?.toISOString() ?? null };
}

// Text that cannot be a provider's name is not found.
function readName({ params }: Pick<Incoming<AdminCaller>, "params">): string {
  const name = params["provider"] ?? "";
  if (!/^[a-z0-9._-]{1,64}$/.test(name)) throw new Fault("not_found", "There is no such provider.");
  return name;
}
