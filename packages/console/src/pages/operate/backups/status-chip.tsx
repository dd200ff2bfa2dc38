import { Check, Loader, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { system as words } from "#strings/system";
import type { Backup } from "../../../api/admin.ts";
import { Chip } from "../../../ui/chip.tsx";

const looks = {
  running: ["info", Loader],
  verified: ["ok", Check],
  unverified: ["warn", TriangleAlert],
  failed: ["bad", X],
} as const;

export function StatusChip({ status }: { readonly status: Backup["status"] }): ReactNode {
  const [tone, icon] = looks[status];
  return (
    <Chip tone={tone} icon={icon}>
      {words.backups.status[status]}
    </Chip>
  );
}
