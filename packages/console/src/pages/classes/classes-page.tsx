import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function ClassesPage(): ReactNode {
  return <PageHead title="Node classes" />;
}
