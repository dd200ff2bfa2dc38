import { Compass } from "lucide-react";
import type { ReactNode } from "react";
import { app } from "#strings/app";
import { LinkButton } from "../ui/button.tsx";
import { Empty, FaultNote } from "../ui/states.tsx";

const words = app.notFound;

export function NotFound(): ReactNode {
  return (
    <Empty icon={Compass} level={1} title={words.title} actions={<LinkButton to="/">{words.action}</LinkButton>}>
      {words.text}
    </Empty>
  );
}

export function PageFault({ error, reset }: { readonly error: unknown; readonly reset: () => void }): ReactNode {
  return <FaultNote fault={error} retry={reset} />;
}
