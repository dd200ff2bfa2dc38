import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function WorkersPage(): ReactNode {
  return <PageHead title="Workers" />;
}
