// Reads a saved workflow again, to see what another person saved meanwhile.
import type { QueryClient } from "@tanstack/react-query";
import { listVersions, savedQuery } from "../../api/saved/saved-workflows.ts";
import type { Saving } from "./save-conflict.ts";

export function versionsOf(queries: QueryClient, id: string): Pick<Saving<never>, "readNow" | "readVersion"> {
  return {
    readNow: async () => {
      const { workflow, etag } = await queries.fetchQuery({ ...savedQuery(id), staleTime: 0 });
      return { version: workflow.version, etag };
    },
    readVersion: async (version) => (await listVersions(id, null)).data.find((each) => each.version === version),
  };
}
