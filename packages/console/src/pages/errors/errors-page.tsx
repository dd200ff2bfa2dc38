import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function ErrorsPage(): ReactNode {
  return <PageHead title="Errors" />;
}
