// Keeps an application's class descriptions in a file across our restarts, so that a process that starts while the
// application is down can judge graphs by the last known state. Descriptions from another address are ignored.
import { createHash } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { readExactJson } from "../../../foundation/json/exact-json.ts";
import { attempt } from "../../../foundation/retry.ts";
import { isRecord, memberOf, stringAt } from "../line/json-record.ts";

export interface KeptClasses {
  // The last stored `object_info`, with integers beyond 2^53 as bigints. Null if there is none, it is another
  // application's, or it cannot be read.
  recall(): Promise<unknown>;
  // Atomic. Not written again if nothing changed.
  keep(said: { readonly objectInfo: Buffer; readonly version: string | null; readonly at: Date }): Promise<void>;
}

export function openKeptClasses(path: string, applicationUrl: string): KeptClasses {
  let keptDigest = "";
  return {
    async recall() {
      const text = await readFile(path, "utf8").catch(() => null);
      if (text === null) return null;
      const kept = attempt(() => readExactJson(text), null);
      const isOfThisApplication = isRecord(kept) && stringAt(kept, "application_url") === applicationUrl;
      return isOfThisApplication ? (memberOf(kept, "object_info") ?? null) : null;
    },
    async keep({ objectInfo, version, at }) {
      const digest = createHash("sha256").update(`${version}\n`).update(objectInfo).digest("hex");
      if (digest === keptDigest) return;
      const about = { application_url: applicationUrl, version, read_at: at.toISOString() };
      const fresh = `${path}.${process.pid}`;
      try {
        // The description is copied verbatim, because it may be tens of megabytes.
        const head = `${JSON.stringify(about).slice(0, -1)},"object_info":`;
        await writeFile(fresh, Buffer.concat([Buffer.from(head), objectInfo, Buffer.from("}\n")]), { mode: 0o600 });
        await rename(fresh, path);
      } catch (error) {
        await rm(fresh, { force: true });
        throw error;
      }
      keptDigest = digest;
    },
  };
}
