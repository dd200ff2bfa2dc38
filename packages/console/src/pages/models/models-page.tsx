import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function ModelsPage(): ReactNode {
  return <PageHead title="Models" />;
}
