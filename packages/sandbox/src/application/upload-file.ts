// POST /upload/image: a multipart form with the file and its destination. Use the name that comes back.
import type { IncomingMessage } from "node:http";
import { readBytes } from "../http/read-body.ts";
import { maxUploadBytes } from "./clients.ts";
import { type Folders, folderNames } from "./folders.ts";
import { empty, inTrouble, json, type Reply } from "./reply.ts";

export async function uploadFile(folders: Folders, request: IncomingMessage): Promise<Reply> {
  const bytes = await readBytes(request, maxUploadBytes);
  if (bytes === null) return empty(413);
  const form = await new Response(new Uint8Array(bytes), {
    headers: { "Content-Type": request.headers["content-type"] ?? "" },
  })
    .formData()
    .catch(() => null);
  if (!form) return inTrouble;
  const image = form.get("image");
  if (!(image instanceof File) || image.name === "") return empty(400);
  const text = (name: string, usual: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : usual;
  };
  const folder = folderNames.find((name) => name === text("type", "input")) ?? "input";
  const stored = await folders.upload(
    folder,
    {
      subfolder: text("subfolder", ""),
      filename: image.name,
      overwrite: ["true", "1"].includes(text("overwrite", "")),
    },
    new Uint8Array(await image.arrayBuffer()),
  );
  if (!stored) return empty(400);
  return json(200, { name: stored.filename, subfolder: stored.subfolder, type: stored.type });
}
