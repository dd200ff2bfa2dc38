// `atelier keys`: API keys and sign-in links for the operator of the machine. Only the key goes to standard output, so that
// KEY=$(atelier keys create ci) works.
import { defaultKeyScopes, isScope, type Scope, scopes } from "../../capabilities/identity/index.ts";
import { systemClock } from "../../foundation/clock.ts";
import { parseId, type WorkspaceId } from "../../foundation/ids.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { dialectOf } from "../../surfaces/dialect/index.ts";
import type { Capabilities } from "../build/build-capabilities.ts";
import { type Command, type CommandResult, readCommand } from "./command.ts";
import { createLink, platformUrlOf, whoSignsIn } from "./sign-in-link.ts";
import { chooseWorkspace, commandLine, readExpiry, withinProcess } from "./within-process.ts";

export const keysCommand: Command = {
  async run(listed, input) {
    const { config, options, verb, words } = readCommand(listed, input);
    const [word = ""] = words;
    const request = verb === "create" ? readRequest(word, options) : null;
    const dialect = dialectOf({
      name: config.dialect,
      surface: "cloud",
      clock: systemClock,
      creditsPerUsd: config.creditsPerUsd,
    });
    const shown = (key: string) => dialect?.showKey(key) ?? key;
    return withinProcess(config, async ({ capabilities }) => {
      const built = await capabilities();
      const workspaceId = await chooseWorkspace(built, options["workspace"]);
      if (verb === "list") return listKeys(built, workspaceId);
      if (verb === "revoke") return revokeKey(built, workspaceId, word);
      const result = request
        ? await createKey(built, workspaceId, { ...request, shown })
        : await createLink(built, {
            personId: await whoSignsIn(built, word, options["workspace"] === undefined ? null : workspaceId),
            platformUrl: await platformUrlOf(config),
          });
      if (!input.json)
        input.say(request ? "Shown only once. Programs read it from ATELIER_API_KEY." : "Works once, for 10 minutes.");
      return result;
    });
  },
};

interface KeyRequest {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
}

// Checked before the database is opened, so that wrong usage fails immediately.
function readRequest(name: string, options: Readonly<Record<string, unknown>>): KeyRequest {
  const wanted = typeof options["scopes"] === "string" ? options["scopes"].split(",") : [...defaultKeyScopes];
  const unknown = wanted.filter((scope) => !isScope(scope));
  if (unknown.length > 0) throw new UsageProblem([`Unknown scope ${unknown.join(", ")}. Scopes: ${scopes.join(", ")}`]);
  const expiresAt = readExpiry(options);
  return { name, scopes: wanted.filter((scope): scope is Scope => isScope(scope)), expiresAt };
}

async function createKey(
  { identity }: Capabilities,
  workspaceId: WorkspaceId,
  { shown, ...request }: KeyRequest & { readonly shown: (key: string) => string },
): Promise<CommandResult> {
  const whole = { ...request, workspaceId, role: "member" as const, createdBy: null };
  const { key, secret } = await identity.keys.create(whole, commandLine);
  return { data: { id: key.id, name: key.name, key: shown(secret), scopes: request.scopes }, text: shown(secret) };
}

async function listKeys({ identity }: Capabilities, workspaceId: WorkspaceId): Promise<CommandResult> {
  const keys = await identity.keys.list(workspaceId);
  const data = keys.map((key) => ({
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
  }));
  const now = systemClock.now();
  const state = (key: (typeof data)[number]) =>
    key.revoked_at ? "revoked" : key.expires_at && key.expires_at <= now ? "expired" : "active";
  const rows = data.map((key) => [
    key.id,
    key.prefix,
    key.name,
    state(key),
    key.created_at,
    key.last_used_at,
    key.expires_at,
  ]);
  return { data, text: { columns: ["id", "key", "name", "state", "created", "last used", "expires"], rows } };
}

async function revokeKey({ identity }: Capabilities, workspaceId: WorkspaceId, id: string): Promise<CommandResult> {
  const keyId = parseId<"key">(id);
  if (keyId === null) throw new UsageProblem(["Pass a key id; to list keys: atelier keys list"]);
  const key = await identity.keys.revoke(workspaceId, keyId, commandLine);
  return {
    data: { id: key.id, revoked_at: key.revokedAt },
    text: `Revoked ${key.name}. Running servers reject it within 5 seconds.`,
  };
}
