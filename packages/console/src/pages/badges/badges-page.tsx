// What nodes cost before they run: the public map as a client gets it, a previewer for badge authors, and the stored rows for
// operators.

import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { badges as words } from "#strings/badges";
import { PageHead } from "../../ui/panel.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { BadgeMapView } from "./badge-map.tsx";
import { BadgeRows } from "./badge-rows.tsx";
import { Previewer } from "./previewer.tsx";

export function BadgesPage(): ReactNode {
  const { tab } = useSearch({ from: "/console/badges" });
  const navigate = useNavigate();
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Tabs
        label={words.title}
        tabs={[
          { name: "map", label: words.tabs.map },
          { name: "preview", label: words.tabs.preview },
          { name: "rows", label: words.tabs.rows },
        ]}
        chosen={tab ?? "map"}
        onChoose={(name) => navigate({ to: "/console/badges", search: name === "map" ? {} : { tab: name } })}
      >
        <div style={{ marginTop: "1rem" }}>
          {tab === "preview" ? <Previewer /> : tab === "rows" ? <BadgeRows /> : <BadgeMapView />}
        </div>
      </Tabs>
    </>
  );
}
