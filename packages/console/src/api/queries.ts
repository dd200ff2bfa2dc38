// One store for everything that was read. What failed for a reason that passes is asked again, twice; the rest is shown.
import { QueryClient } from "@tanstack/react-query";
import { asFault } from "./fault.ts";

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The server may be on this machine while the network is away.
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
