import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function JobsPage(): ReactNode {
  return <PageHead title="Jobs" />;
}
