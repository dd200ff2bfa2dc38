import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function KeysPage(): ReactNode {
  return <PageHead title="API keys" />;
}
