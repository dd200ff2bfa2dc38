// Lifts the limit of a hundred requests a second per workspace: we measure the server, not that limit.
import type { AssetServer } from "./assets-downloads.ts";

const limitName = "workflow_and_registry_requests_per_minute";

export async function liftRate(
  { server, key }: Pick<AssetServer, "server" | "key">,
  adminToken: string,
): Promise<{ readonly ownerId: string }> {
  const url = `http://127.0.0.1:${server.port}`;
  const account = (await (await fetch(`${url}/account`, { headers: { "x-api-key": key } })).json()) as {
    workspace: { id: string };
    key: { created_by: string };
  };
  const answer = await fetch(`${url}/admin/workspaces/${account.workspace.id}/limits/${limitName}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    body: JSON.stringify({ value: 100_000_000 }),
  });
  if (!answer.ok) throw new Error(`The limit of requests stays: ${answer.status} ${await answer.text()}`);
  return { ownerId: account.key.created_by };
}
