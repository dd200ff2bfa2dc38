// Where a proxy keeps its state: a folder closed to other users, one per port, since a port has one proxy and a proxy has one
// application.
import { chmod } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { makeFolder } from "../foundation/make-folder.ts";

export function proxyHomeOf(
  config: { readonly proxyHome: string | null; readonly proxyPort: number },
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (config.proxyHome !== null) return resolve(config.proxyHome);
  const given = env["XDG_STATE_HOME"] ?? "";
  // XDG's own rule: a relative path is ignored.
  const state = isAbsolute(given) ? given : join(env["HOME"] ?? homedir(), ".local", "state");
  return join(state, "atelier", `proxy-${config.proxyPort}`);
}

export async function openProxyHome(home: string): Promise<void> {
  await makeFolder(home);
  await chmod(home, 0o700);
}
