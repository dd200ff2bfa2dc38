// Calls a server under measurement with one key: JSON in, JSON or text out, and every answer but a success is an error.
import type { LimitName } from "../packages/server/src/capabilities/limits/index.ts";
import type { WorkspaceId } from "../packages/server/src/foundation/ids.ts";
import type { Started } from "./processes.ts";

export type Call = <Answer>(method: string, path: string, body?: object | string) => Promise<Answer>;

export function calling({ port }: Pick<Started, "port">, key: string): Call {
  return async (method, path, body) => {
    const sent = typeof body === "object" ? JSON.stringify(body) : body;
    const headers = {
      authorization: `Bearer ${key}`,
      ...(sent === undefined ? {} : { "content-type": "application/json" }),
    };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers,
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
    return answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
  };
}

export interface Account {
  readonly workspace: { readonly id: WorkspaceId };
  readonly key: { readonly created_by: string };
}

// Raises limits of the key's workspace so far that they do not matter, and returns its account.
export async function liftLimits(
  server: Pick<Started, "port">,
  key: string,
  adminToken: string,
  names: readonly LimitName[],
): Promise<Account> {
  const account = await calling(server, key)<Account>("GET", "/account");
  const admin = calling(server, adminToken);
  for (const name of names)
    await admin("PUT", `/admin/workspaces/${account.workspace.id}/limits/${name}`, { value: 100_000_000 });
  return account;
}
