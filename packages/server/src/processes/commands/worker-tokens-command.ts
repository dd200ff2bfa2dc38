// `atelier worker-tokens`: tokens for remote workers. Only the token goes to standard output, so that
// ATELIER_WORKER_TOKEN=$(atelier worker-tokens create rack-1) works.
import { requirePools } from "../../capabilities/deployments/index.ts";
import type { PoolId } from "../../capabilities/jobs/index.ts";
import { sharedPool } from "../../capabilities/pools/index.ts";
import type { WorkerTokens } from "../../capabilities/tokens/index.ts";
import { newRequestId, parseId } from "../../foundation/ids.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { type Command, type CommandResult, readCommand } from "./command.ts";
import { commandLine, readExpiry, withinProcess } from "./within-process.ts";

const acting = () => ({ ...commandLine, requestId: newRequestId() });

export const workerTokensCommand: Command = {
  async run(listed, input) {
    const { config, options, verb, words } = readCommand(listed, input);
    const [word = ""] = words;
    const request = verb === "create" ? readRequest(word, options) : null;
    return withinProcess(config, async ({ capabilities, storage }) => {
      const { workerTokens } = await capabilities();
      if (request) {
        await requirePools(storage.database, request.poolIds, sharedPool);
        const made = await create(workerTokens, request);
        if (!input.json) input.say("Shown only once. Workers read it from ATELIER_WORKER_TOKEN.");
        return made;
      }
      if (verb === "list") return list(workerTokens);
      await workerTokens.revoke(word, acting());
      return { data: { id: word }, text: "Revoked. Servers reject its workers within 2 seconds." };
    });
  },
};

interface TokenRequest {
  readonly name: string;
  readonly poolIds: readonly PoolId[];
  readonly expiresAt: Date | null;
}

// Checked before the database is opened, so that wrong usage fails immediately.
function readRequest(name: string, options: Readonly<Record<string, unknown>>): TokenRequest {
  const given = typeof options["pools"] === "string" ? options["pools"].split(",") : ["shared"];
  const poolIds = given.map((text) => {
    const poolId = text === "shared" ? sharedPool : parseId<"pool">(text.trim());
    if (poolId === null) throw new UsageProblem([`--pools: "${text}" is not a pool id.`]);
    return poolId;
  });
  return { name, poolIds, expiresAt: readExpiry(options) };
}

async function create(tokens: WorkerTokens, request: TokenRequest): Promise<CommandResult> {
  const { token, secret } = await tokens.create(request, acting());
  return { data: { id: token.id, name: token.name, pool_ids: token.poolIds, secret }, text: secret };
}

async function list(tokens: WorkerTokens): Promise<CommandResult> {
  const listed = await tokens.list();
  return {
    data: listed.map(({ id, name, poolIds, createdAt, lastUsedAt, revokedAt }) => ({
      id,
      name,
      pool_ids: poolIds,
      created_at: createdAt,
      last_used_at: lastUsedAt,
      revoked_at: revokedAt,
    })),
    text: {
      columns: ["id", "name", "pools", "created", "last used", "revoked"],
      empty: "No worker tokens. Create one: atelier worker-tokens create <name>",
      rows: listed.map((token) => [
        token.id,
        token.name,
        token.poolIds.map((id) => (id === sharedPool ? "shared" : id)).join(" "),
        token.createdAt,
        token.lastUsedAt,
        token.revokedAt,
      ]),
    },
  };
}
