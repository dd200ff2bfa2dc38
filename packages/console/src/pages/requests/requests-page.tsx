import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function RequestsPage(): ReactNode {
  return <PageHead title="Requests" />;
}
