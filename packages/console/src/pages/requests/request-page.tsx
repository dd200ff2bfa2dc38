import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function RequestPage(): ReactNode {
  return <PageHead title="Request" />;
}
