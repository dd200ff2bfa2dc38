// A playground's input as the fragment of an address. A browser never sends that part to a server.
import { parseJson, writeJson } from "@atelier/sdk";
import { isRecord } from "../../api/json-record.ts";
import type { Input } from "../../api/model-calls/model-run.ts";

const longest = 30_000;

// Null if it is too large for an address.
export function inputLink(value: unknown): string | null {
  const bytes = new TextEncoder().encode(writeJson(value));
  const text = btoa(Array.from(bytes, (each) => String.fromCharCode(each)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  return text.length > longest ? null : `input=${text}`;
}

export function linkedInput(hash: string): Input | null {
  const text = /^#input=([\w-]+)$/.exec(hash)?.[1];
  if (text === undefined) return null;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const value = parseJson(new TextDecoder().decode(Uint8Array.from(binary, (each) => each.charCodeAt(0))));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
