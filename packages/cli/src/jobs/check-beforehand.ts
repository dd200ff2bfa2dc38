// Runs the registry's checks before anything is sent. They come with the server package, if that is installed.
import type { NodeFinding, NodeManifest } from "../nodes/node-manifest.ts";

// Null if the checks are not installed here; the registry runs them in any case.
export async function checkBeforehand(
  bytes: Uint8Array,
  manifest: Pick<NodeManifest, "publisherId" | "nodeId" | "version">,
): Promise<readonly NodeFinding[] | null> {
  const checks = await import("@atelier/server/commands").catch((error: unknown) => {
    const isAbsent = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (isAbsent && error.message.includes("@atelier/server")) return null;
    throw error;
  });
  const findings = await checks?.checkNodeArchive(bytes, manifest);
  return findings === undefined ? null : findings.map(plain);
}

function plain({
  code,
  message,
  file,
  line,
}: {
  code: string;
  message: string;
  file?: string | undefined;
  line?: number | undefined;
}): NodeFinding {
  return { code, message, ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
}
