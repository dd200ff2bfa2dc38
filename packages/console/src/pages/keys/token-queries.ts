import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";

// The newest hundred. Ended tokens stay listed; few are active at the same time.
export const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  queryFn: async ({ signal }) => (await call(operations.listTokens, { query: { limit: 100 }, signal })).data,
});
