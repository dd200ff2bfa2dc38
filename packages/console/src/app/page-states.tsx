import { Compass } from "lucide-react";
import type { ReactNode } from "react";
import { LinkButton } from "../ui/button.tsx";
import { Empty, FaultNote } from "../ui/states.tsx";

export function NotFound(): ReactNode {
  return (
    <Empty icon={Compass} level={1} title="There is no such page" actions={<LinkButton to="/">Overview</LinkButton>}>
      The address may be mistyped. Press Ctrl K and paste an id to find a job, a request, an asset or a model.
    </Empty>
  );
}

export function PageFault({ error, reset }: { readonly error: unknown; readonly reset: () => void }): ReactNode {
  return <FaultNote fault={error} retry={reset} />;
}
