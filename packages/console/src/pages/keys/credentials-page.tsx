import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function CredentialsPage(): ReactNode {
  return <PageHead title="Provider credentials" />;
}
