import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function JobPage(): ReactNode {
  return <PageHead title="Job" />;
}
