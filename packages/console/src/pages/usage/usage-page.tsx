import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function UsagePage(): ReactNode {
  return <PageHead title="Usage" />;
}
