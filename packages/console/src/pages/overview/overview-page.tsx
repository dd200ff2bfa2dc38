import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function OverviewPage(): ReactNode {
  return <PageHead title="Overview" />;
}
