// What /mcp speaks, in both directions and for its errors too (decisions, section 1). The members beyond the version
// belong to the Model Context Protocol, whose own documents describe them.
import { type Static, Type } from "typebox";

export const JsonRpcMessage = Type.Object(
  { jsonrpc: Type.Literal("2.0") },
  { title: "JsonRpcMessage", description: "One message of JSON-RPC 2.0.", additionalProperties: true },
);
export type JsonRpcMessage = Static<typeof JsonRpcMessage>;
