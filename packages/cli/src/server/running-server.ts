// Finds the server of a data folder: the address it wrote down, and whether the process listening there really is that server. A
// killed server leaves its note behind, and its port may belong to another process by now. So we send nothing secret to an
// address just because the note names it: the server first proves that it holds the note's key (`proof` of GET /health), under
// the very name by which we ask it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ClientProblem } from "./client-problem.ts";
import { plainFetch } from "./plain-fetch.ts";

export interface ServerNote {
  readonly url: string;
  readonly proofKey: string;
}

export function readServerNote(home: string): ServerNote | null {
  try {
    const { url, proof_key: proofKey }: { url?: unknown; proof_key?: unknown } = JSON.parse(
      readFileSync(join(home, "server.json"), "utf8"),
    );
    return typeof url === "string" && URL.canParse(url) && typeof proofKey === "string" ? { url, proofKey } : null;
  } catch {
    return null;
  }
}

type ServerProof = "proven" | "silent" | "other";

export async function proofOf(baseUrl: string, { proofKey }: ServerNote): Promise<ServerProof> {
  const { createHmac, randomBytes } = process.getBuiltinModule("node:crypto");
  const challenge = randomBytes(24).toString("base64url");
  const { host, origin } = new URL(baseUrl);
  const expected = createHmac("sha256", proofKey)
    .update(`atelier-health\n${host.toLowerCase()}\n${challenge}`)
    .digest("base64url");
  try {
    const answer = await plainFetch(`${origin}/health?challenge=${challenge}`, {
      redirect: "error",
      signal: AbortSignal.timeout(10_000),
    });
    const { proof }: { proof?: unknown } = JSON.parse(await answer.text());
    return proof === expected ? "proven" : "other";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    return code === "ECONNREFUSED" ? "silent" : "other";
  }
}

export function notRunning(home: string): ClientProblem {
  return new ClientProblem("unreachable", "not_running", `No server is running for the data folder ${home}.`, {
    hint: "start it: npm start, or atelier serve     or set another server's address: --base-url, ATELIER_URL",
    isRetryable: true,
  });
}
