import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function LinkPage(): ReactNode {
  return <PageHead title="Sign in" />;
}
