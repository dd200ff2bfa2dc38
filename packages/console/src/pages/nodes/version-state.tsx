import { Ban, Check, CircleAlert, CircleDashed, Loader, type LucideIcon, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { nodes } from "#strings/nodes";
import { Chip, type Tone } from "../../ui/chip.tsx";
import type { NodeVersion } from "./registry-queries.ts";

const words = nodes.versions.states;

const states: Readonly<Record<string, readonly [Tone, LucideIcon, string]>> = {
  NodeVersionStatusActive: ["ok", Check, words.active],
  NodeVersionStatusPending: ["info", Loader, words.pending],
  NodeVersionStatusFlagged: ["warn", CircleAlert, words.flagged],
  NodeVersionStatusBanned: ["bad", Ban, words.banned],
  NodeVersionStatusDeleted: ["plain", Trash2, words.deleted],
};

// Announced, but its archive has not arrived: nothing is being checked yet.
const announced = ["plain", CircleDashed, words.announced] as const;

export function stateOf(
  version: Pick<NodeVersion, "status" | "downloadUrl" | "archive_hash">,
): readonly [Tone, LucideIcon, string] {
  const isHere = version.archive_hash !== undefined || version.downloadUrl !== undefined;
  if (version.status === "NodeVersionStatusPending" && !isHere) return announced;
  return states[version.status] ?? ["plain", CircleDashed, version.status];
}

export const wordOf = (status: string): string => states[status]?.[2] ?? status;

export function VersionChip({ version }: { readonly version: NodeVersion }): ReactNode {
  const [tone, icon, word] = stateOf(version);
  return (
    <span data-state={version.status}>
      <Chip tone={tone} icon={icon}>
        {word}
      </Chip>
    </span>
  );
}
