import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function WebhooksPage(): ReactNode {
  return <PageHead title="Webhooks" />;
}
