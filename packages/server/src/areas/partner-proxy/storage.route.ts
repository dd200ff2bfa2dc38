// The storage hand-off: where a file can be uploaded so that a partner request can name it.
import { operations, StorageRequest, type StorageTicket } from "@atelier/contract";
import { type Assets, contentTypeOf, requireContentType, requireFilePath } from "../../capabilities/assets/index.ts";
import type { Principal } from "../../capabilities/identity/index.ts";
import { jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import { requireValid } from "../../foundation/json/schema.ts";

export function createStorageTicketRoute(assets: Pick<Assets, "tickets">): Route<Principal> {
  return route(operations.createStorageTicket, async (incoming) => {
    const request = requireValid(StorageRequest, await incoming.json());
    const issued = await assets.tickets.issue({
      workspaceId: incoming.caller.workspaceId,
      fileName: requireFilePath(request.file_name, "file_name"),
      // Decisions, section 10: public clients leave it out.
      contentType: requireContentType(request.content_type ?? contentTypeOf(request.file_name)),
      sha256: request.file_hash?.toLowerCase() ?? null,
    });
    const ticket: StorageTicket = {
      upload_url: issued.uploadUrl,
      download_url: issued.downloadUrl,
      expires_at: issued.expiresAt.toISOString(),
      existing_file: issued.isExisting,
    };
    return jsonAnswer(200, ticket, { "cache-control": "no-store" });
  });
}
