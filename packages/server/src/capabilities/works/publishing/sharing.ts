// Who may call a work besides its own workspace. Workspaces are listed only while the work is shared.

import type { WorkspaceId } from "../../../foundation/ids.ts";
import { badField } from "../../../foundation/json/bad-field.ts";
import type { PublishedWork, Visibility } from "./published-work.ts";
import type { PublishingPorts } from "./publishing-ports.ts";

export interface GivenSharing {
  readonly visibility?: Visibility | undefined;
  readonly sharedWith?: readonly WorkspaceId[] | undefined;
}

type Before = Pick<PublishedWork, "visibility" | "sharedWith" | "workspaceId"> | null;

// Throws invalid_request.
export function checkSharing({ visibility, sharedWith }: GivenSharing, before: Before): void {
  const next = visibility ?? before?.visibility ?? "private";
  if (next === "shared" || sharedWith === undefined || sharedWith.length === 0) return;
  throw badField("shared_with", `has no meaning for a work that is ${next}`);
}

export async function requireWorkspaces(
  { workspaceName }: Pick<PublishingPorts, "workspaceName">,
  ids: readonly WorkspaceId[],
): Promise<void> {
  const names = await Promise.all(ids.map((id) => workspaceName(id)));
  const missing = names.indexOf(null);
  if (missing >= 0) throw badField(`shared_with/${missing}`, "is not a workspace of this server", "validation_failed");
}

export function sharesOf({ sharedWith }: GivenSharing, before: Before, visibility: Visibility): readonly WorkspaceId[] {
  if (visibility !== "shared") return [];
  return [...new Set(sharedWith ?? before?.sharedWith ?? [])];
}
