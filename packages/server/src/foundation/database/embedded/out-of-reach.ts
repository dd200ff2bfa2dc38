// Detects a live server whose socket we cannot see. It will not answer, however long we wait. The cause is a socket in a
// temporary folder: the private one of a service (PrivateTmp=yes), or one that was cleaned up.
import { existsSync } from "node:fs";
import type { Clock } from "../../clock.ts";
import type { ConnectionSettings } from "../connection.ts";
import { isServing, type PostmasterFile, readPostmasterFile } from "./postmaster-file.ts";
import { socketFile } from "./socket-directory.ts";

export interface SocketSite {
  readonly dataDir: string;
  readonly access: { connectionTo(file: PostmasterFile): ConnectionSettings };
}

// A server that starts or stops has no socket for a moment.
const missingMsMax = 10_000;

export class DatabaseOutOfReach extends Error {
  override readonly name = "DatabaseOutOfReach";
}

export function watchForSocket(clock: Clock): { requireInReach(site: SocketSite): Promise<void> } {
  let missingSince: number | undefined;
  return {
    async requireInReach(site) {
      const why = await whyOutOfReach(site);
      if (why === null) missingSince = undefined;
      else missingSince ??= clock.monotonicMs();
      if (why === null || missingSince === undefined) return;
      if (why.isCertain || clock.monotonicMs() - missingSince >= missingMsMax) throw new DatabaseOutOfReach(why.words);
    },
  };
}

async function whyOutOfReach({ dataDir, access }: SocketSite): Promise<{ words: string; isCertain: boolean } | null> {
  const file = await readPostmasterFile(dataDir);
  // The line with the folder is written once the socket exists.
  if (!file || file.socketDir === "" || !(await isServing(file, dataDir))) return null;
  const path = socketFile(access.connectionTo(file).host, file.port);
  if (existsSync(path)) return null;
  const server = `The database in ${dataDir} is served by process ${file.pid}`;
  const mend =
    "Stop or restart the server that started it (systemctl restart atelier): this version keeps the socket in the data folder.";
  if (existsSync(`/proc/${file.pid}/root${path}`))
    return {
      words: `${server}, in a mount namespace of its own, as a service with PrivateTmp=yes has: its socket ${path} cannot be seen from here. ${mend}`,
      isCertain: true,
    };
  return { words: `${server}, whose socket ${path} is gone. ${mend}`, isCertain: false };
}
