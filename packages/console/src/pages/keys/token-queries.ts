import { operations } from "../../api/operations.ts";
import { readList } from "../../api/read-query.ts";

// The newest hundred. Ended tokens stay listed; few are active at the same time.
export const tokensQuery = readList(["tokens"], operations.listTokens, { query: { limit: 100 } });
