// `atelier requests show --bodies`: what a request sent and what it was answered, if the workspace keeps that.
import { AtelierError, parseJson, type RequestBodies, type RequestBody } from "@atelier/sdk";
import { jsonText } from "../json-text.ts";
import { type Asked, readAnswer } from "../server/over-http.ts";

// Null if it was not asked for, or the server has no such operation.
export async function fetchBodies({ call, atelier }: Asked, id: string): Promise<RequestBodies | null> {
  if (!call.has("bodies")) return null;
  try {
    return await readAnswer<RequestBodies>(atelier.request(`/account/requests/${encodeURIComponent(id)}/bodies`));
  } catch (error) {
    if (error instanceof AtelierError && error.status === 404) return null;
    throw error;
  }
}

export function describeBodies(bodies: RequestBodies | null): string[] {
  if (bodies === null) return [];
  if (bodies.input === null && bodies.answer === null) {
    const why = bodies.keeping
      ? "nothing is kept of this request: it ran before bodies were kept, or their time is over"
      : "this workspace keeps no inputs and answers; an owner can turn that on under Members in the console";
    return ["", why];
  }
  return [
    ...linesOf("input", bodies.input),
    ...linesOf("answer", bodies.answer),
    "",
    `deleted   ${bodies.expires_at ?? "unknown"}`,
  ];
}

function linesOf(name: string, body: RequestBody | null): string[] {
  if (body === null) return ["", `${name}: not kept`];
  if (body.text === null) {
    const why = body.kind === "file" ? "a file" : "too large to keep";
    return ["", `${name}: ${why}, ${body.content_type ?? "unknown type"}, ${body.bytes} bytes, sha256 ${body.sha256}`];
  }
  const parts = [...new Set(body.removed.map(({ what }) => what))];
  const removed = parts.length === 0 ? "" : `   (removed: ${parts.map((what) => `${what}s`).join(" and ")})`;
  return ["", `${name}${removed}`, body.kind === "json" ? jsonText(parseJson(body.text), 2) : body.text];
}
