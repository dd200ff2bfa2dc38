import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { models } from "#strings/models";
import { CopyButton } from "../../ui/copy.tsx";
import kit from "../../ui/kit.module.css";

export function RequestLink({ id }: { readonly id: string }): ReactNode {
  return (
    <span className={kit.copyable}>
      <Link to="/console/requests/$requestId" params={{ requestId: id }} title={id} data-request-id={id}>
        <code>{`${id.slice(0, 8)}…${id.slice(-4)}`}</code>
      </Link>
      <CopyButton text={id} label={models.card.copy(id)} />
    </span>
  );
}
