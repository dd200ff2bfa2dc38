// The workspace of the key that is used, and its roles.
import type { Account } from "@atelier/sdk";
import { wrongCall } from "../read-call.ts";
import { type Asked, readAnswer } from "../server/over-http.ts";

const roles = ["viewer", "member", "billing", "owner"];

export function requireRole(command: string, role: string): string {
  if (roles.includes(role)) return role;
  throw wrongCall(command, [`The role is ${roles.join(", ")}; not "${role}".`]);
}

export async function pathOfWorkspace({ atelier }: Pick<Asked, "atelier">, path: string): Promise<string> {
  const { workspace } = await readAnswer<Account>(atelier.request("/account"));
  return `/account/workspaces/${workspace.id}/${path}`;
}
