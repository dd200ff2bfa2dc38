import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function ProvidersPage(): ReactNode {
  return <PageHead title="Providers" />;
}
