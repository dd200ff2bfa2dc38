import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function WorkspacesPage(): ReactNode {
  return <PageHead title="Workspaces" />;
}
