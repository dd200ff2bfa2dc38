import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function NodePage(): ReactNode {
  return <PageHead title="Node" />;
}
