// Errors of the Model Context Protocol endpoint that occur before a message is read: JSON-RPC, with our own code beside the
// protocol's number, so that both agents and people can tell what to do (decisions, section 1).
import { type Envelope, jsonAnswer } from "../../foundation/http/area.ts";

const numbers: Readonly<Record<number, number>> = { 400: -32600, 404: -32601, 405: -32600, 500: -32603 };

export const jsonRpcEnvelope: Envelope = (fault) =>
  jsonAnswer(fault.status, {
    jsonrpc: "2.0",
    id: null,
    error: { code: numbers[fault.status] ?? -32000, message: fault.message, data: { error: fault.code } },
  });
