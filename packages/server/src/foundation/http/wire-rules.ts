// What every listener asks of the wire, before there is a request.
import type { ServerOptions } from "node:http";

export const wireRules: ServerOptions = {
  headersTimeout: 15_000,
  // Bodies have a lowest rate instead of a longest time: an upload may take hours, a trickle may not.
  requestTimeout: 0,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 75_000,
  maxHeaderSize: 16 * 1024,
  insecureHTTPParser: false,
  // The guard counts Host headers itself and answers in our words.
  requireHostHeader: false,
};
