// `atelier keys`: API keys and sign-in links for the operator of the machine. Only the key goes to standard output, so
// that KEY=$(atelier keys create ci) works.
import { defaultKeyScopes, isScope, type Scope, scopes } from "../capabilities/identity/index.ts";
import { systemClock } from "../foundation/clock.ts";
import { parseId, type WorkspaceId } from "../foundation/ids.ts";
import type { Capabilities } from "./build-capabilities.ts";
import { type Command, type CommandResult, readCommand, UsageProblem } from "./command.ts";
import { withinProcess } from "./within-process.ts";

const acting = { actor: { kind: "system" as const, id: null, name: "command line" } };

export const keysCommand: Command = {
  name: "keys",
  about: "Make, list and revoke API keys; make a sign-in link.",
  usage: "keys create <name> | keys list | keys revoke <id> | keys link",
  examples: [
    "atelier keys create laptop",
    "KEY=$(atelier keys create ci --scopes models,workflows)",
    "atelier keys list",
    "atelier keys link",
  ],
  options: {
    workspace: { type: "string", about: "The workspace's id; the oldest one if absent." },
    scopes: { type: "string", about: `Comma-separated, of ${scopes.join(", ")}.` },
    "expires-days": { type: "string", about: "Days until the key stops working; never if absent." },
  },
  async run(input) {
    const { config, options, positionals } = readCommand(keysCommand, input);
    const [verb, ...words] = positionals;
    return withinProcess(config, async ({ capabilities }) => {
      const built = await capabilities();
      const workspaceId = await chooseWorkspace(built, options["workspace"]);
      if (verb === "create") return createKey(built, workspaceId, words[0], options);
      if (verb === "list") return listKeys(built, workspaceId);
      if (verb === "revoke") return revokeKey(built, workspaceId, words[0]);
      if (verb === "link")
        return createLink(built, config.platformUrl ?? config.baseUrl ?? `http://${config.host}:${config.port}`);
      throw new UsageProblem([`Say what to do: ${keysCommand.usage}`]);
    });
  },
};

async function chooseWorkspace({ identity }: Capabilities, given: unknown): Promise<WorkspaceId> {
  if (typeof given === "string") {
    const id = parseId<"workspace">(given);
    if (id === null) throw new UsageProblem(["--workspace must be a workspace's id."]);
    return id;
  }
  const [oldest] = await identity.workspaces.list({ after: null, count: 1 });
  if (!oldest) throw new UsageProblem(["There is no workspace yet. Start the server once: atelier serve"]);
  return oldest.id;
}

async function createKey(
  { identity }: Capabilities,
  workspaceId: WorkspaceId,
  name: string | undefined,
  options: Readonly<Record<string, unknown>>,
): Promise<CommandResult> {
  if (name === undefined) throw new UsageProblem(["Give the key a name: atelier keys create laptop"]);
  const wanted = typeof options["scopes"] === "string" ? options["scopes"].split(",") : [...defaultKeyScopes];
  const unknown = wanted.filter((scope) => !isScope(scope));
  if (unknown.length > 0)
    throw new UsageProblem([`There is no scope ${unknown.join(", ")}. Scopes: ${scopes.join(", ")}`]);
  const days = options["expires-days"] === undefined ? null : Number(options["expires-days"]);
  if (days !== null && !(Number.isInteger(days) && days > 0))
    throw new UsageProblem(["--expires-days must be a whole number above 0."]);
  const expiresAt = days === null ? null : new Date(systemClock.now().getTime() + days * 86_400_000);
  const chosen = wanted.filter((scope): scope is Scope => isScope(scope));
  const wish = { workspaceId, name, role: "member" as const, scopes: chosen, expiresAt, createdBy: null };
  const { key, secret } = await identity.keys.create(wish, acting);
  return { data: { id: key.id, name: key.name, key: secret, scopes: chosen }, text: secret };
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
  const state = (key: (typeof data)[number]) =>
    key.revoked_at ? "revoked" : key.last_used_at ? `used ${key.last_used_at.toISOString()}` : "never used";
  return { data, text: data.map((key) => [key.id, key.prefix, key.name, state(key)].join("\t")).join("\n") };
}

async function revokeKey(
  { identity }: Capabilities,
  workspaceId: WorkspaceId,
  id: string | undefined,
): Promise<CommandResult> {
  const keyId = id === undefined ? null : parseId<"key">(id);
  if (keyId === null) throw new UsageProblem(["Name the key by its id: atelier keys list"]);
  const key = await identity.keys.revoke(workspaceId, keyId, acting);
  return {
    data: { id: key.id, revoked_at: key.revokedAt },
    text: `Revoked ${key.name}. Running servers refuse it within 5 seconds.`,
  };
}

async function createLink({ identity }: Capabilities, platformUrl: string): Promise<CommandResult> {
  const owner = await identity.workspaces.firstOwner();
  if (!owner) throw new UsageProblem(["There is nobody to sign in yet. Start the server once: atelier serve"]);
  const { token, expiresAt } = await identity.signIn.createLink(owner.id, acting);
  const link = `${platformUrl}/sign-in/${token}`;
  return { data: { link, expires_at: expiresAt }, text: link };
}
