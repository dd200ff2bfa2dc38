import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function ComparePage(): ReactNode {
  return <PageHead title="Compare models" />;
}
