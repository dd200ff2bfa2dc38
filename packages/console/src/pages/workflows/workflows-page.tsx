import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function WorkflowsPage(): ReactNode {
  return <PageHead title="Workflows" />;
}
