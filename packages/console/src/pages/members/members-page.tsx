import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function MembersPage(): ReactNode {
  return <PageHead title="Members" />;
}
