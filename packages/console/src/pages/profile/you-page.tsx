import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function YouPage(): ReactNode {
  return <PageHead title="You" />;
}
