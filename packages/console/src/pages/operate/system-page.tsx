import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function SystemPage(): ReactNode {
  return <PageHead title="System" />;
}
