import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function BadgesPage(): ReactNode {
  return <PageHead title="Badges" />;
}
