import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { requests as words } from "#strings/requests";
import { LinkButton } from "../../ui/button.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { PageHead } from "../../ui/panel.tsx";
import { RequestView } from "./request-view.tsx";

const route = getRouteApi("/console/requests/$requestId");

export function RequestPage(): ReactNode {
  const { requestId } = route.useParams();
  return (
    <>
      <PageHead title={words.one} lead={<CopyId id={requestId} short={false} />}>
        <LinkButton to="/console/requests">{words.all}</LinkButton>
      </PageHead>
      <RequestView id={requestId} isWhole />
    </>
  );
}
