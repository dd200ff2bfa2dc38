// What /mcp speaks, in both directions and for its errors too (decisions, section 1). The members beyond the version
// belong to the Model Context Protocol, whose own documents describe them.

import { type Static, Type } from "typebox";
import { entity } from "./wire-values.ts";

export const JsonRpcMessage = entity(
  "JsonRpcMessage",
  "One message of JSON-RPC 2.0.",
  { jsonrpc: Type.Literal("2.0") },
  { additionalProperties: true },
);
export type JsonRpcMessage = Static<typeof JsonRpcMessage>;
