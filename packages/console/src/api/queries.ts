// One cache for everything the pages read. Failures that may pass are retried twice; others are shown.
import { QueryClient } from "@tanstack/react-query";
import { asFault } from "./fault.ts";

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The server may be on this machine, reachable without a network.
      networkMode: "always",
      retry: (count, thrown) => {
        const { status } = asFault(thrown);
        return count < 2 && (status === 0 || status === 502 || status === 503 || status === 504);
      },
      throwOnError: false,
    },
    mutations: { networkMode: "always" },
  },
});
