// Runs the registry's checks before anything is sent. They come with the server package, if that is installed.

import { given } from "../given.ts";
import type { NodeFinding, NodeManifest } from "../nodes/node-manifest.ts";
import { loadServerCommands } from "../server-commands.ts";

// Null if the checks are not installed here; the registry runs them in any case.
export async function checkBeforehand(
  bytes: Uint8Array,
  manifest: Pick<NodeManifest, "publisherId" | "nodeId" | "version">,
): Promise<readonly NodeFinding[] | null> {
  const findings = await (await loadServerCommands())?.checkNodeArchive(bytes, manifest);
  return findings === undefined
    ? null
    : findings.map(({ code, message, file, line }) => ({ code, message, ...given({ file, line }) }));
}
