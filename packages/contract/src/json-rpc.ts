// The messages of /mcp in both directions, errors included (decisions, section 1). All members except the version belong to the
// Model Context Protocol, which documents them itself.

import { Type } from "typebox";
import { entity } from "./wire-values.ts";

export const JsonRpcMessage = entity(
  "JsonRpcMessage",
  "One JSON-RPC 2.0 message.",
  { jsonrpc: Type.Literal("2.0") },
  { additionalProperties: true },
);
