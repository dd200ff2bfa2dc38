// Whether people can open the console here.
import { findRunningServer } from "../../foundation/home/server-note.ts";
import { type Finding, problem, well } from "../../foundation/looks/finding.ts";
import { buildConsoleWords, missingConsole } from "./open-console.ts";

// A running server shows what it has; without one, we check what the next start would have.
export async function lookAtConsole(home: string): Promise<Finding> {
  const running = await findRunningServer(home);
  if (running !== null) return askedConsole(await consoleStatus(running.url));
  return consoleFinding(await missingConsole(home));
}

export function askedConsole(status: number | null): Finding {
  if (status === 200) return well("console", "available");
  const found = status === null ? "no response" : `responds with ${status}`;
  return problem("console", `${found}: nobody can sign in`, buildConsoleWords);
}

export function consoleFinding(missing: Awaited<ReturnType<typeof missingConsole>>): Finding {
  if (missing === null) return well("console", "built");
  if ("folder" in missing) return well("console", `will be built at the next start, in ${missing.folder}`);
  return problem("console", `not built, and cannot be: ${missing.reason}`, buildConsoleWords);
}

async function consoleStatus(url: string): Promise<number | null> {
  try {
    const headers = { accept: "text/html" };
    const signal = AbortSignal.timeout(30_000);
    const answer = await fetch(`${url}/console`, { headers, redirect: "manual", signal });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return null;
  }
}
