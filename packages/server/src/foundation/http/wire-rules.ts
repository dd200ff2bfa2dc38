// Rules for every listener that apply before there is a request.
import type { ServerOptions } from "node:http";

export const wireRules: ServerOptions = {
  headersTimeout: 15_000,
  // Bodies have a minimum rate instead of a time limit: an upload may take hours, but must not trickle.
  requestTimeout: 0,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 75_000,
  maxHeaderSize: 16 * 1024,
  insecureHTTPParser: false,
  // The guard counts Host headers itself and answers with our error body.
  requireHostHeader: false,
};
