import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function SignInPage(): ReactNode {
  return <PageHead title="Sign in" />;
}
