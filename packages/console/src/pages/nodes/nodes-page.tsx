import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function NodesPage(): ReactNode {
  return <PageHead title="Nodes" />;
}
