import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function ModelPage(): ReactNode {
  return <PageHead title="Model" />;
}
