// Reads a request's bytes, up to the cap. A larger body is refused without being kept.
import type { IncomingMessage } from "node:http";
import { type Answer, errorAnswer } from "./answer.ts";

// What the server lets through to partners (50 MiB), plus the callback address it adds.
export const bodyBytesMax = 51 * 1024 * 1024;

export async function readBody(
  request: IncomingMessage,
  types: readonly string[] = ["application/json"],
): Promise<Buffer | Answer> {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type === undefined || !types.includes(type))
    return errorAnswer(415, "unsupported_media_type", `Send ${types.join(" or ")}.`, { Connection: "close" });
  if (request.headers["content-encoding"] !== undefined)
    return errorAnswer(415, "unsupported_media_type", "Send the body without content encoding.", {
      Connection: "close",
    });
  const tooLarge = errorAnswer(413, "request_too_large", `A body has at most ${bodyBytesMax} bytes.`, {
    Connection: "close",
  });
  if (Number(request.headers["content-length"] ?? 0) > bodyBytesMax) return tooLarge;
  return (await readBytes(request, bodyBytesMax)) ?? tooLarge;
}

// null if it exceeds the cap.
export async function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.length;
    if (bytes > bytesMax) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces, bytes);
}
