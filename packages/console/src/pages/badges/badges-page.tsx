// What nodes cost before they run: the public map as a client gets it, a previewer for badge authors, and the stored rows for
// operators.
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
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
      <PageHead
        title="Badges"
        lead="A badge says what a node costs before it runs. Clients draw it on the node and work it out anew whenever a widget changes."
      />
      <Tabs
        label="Badges"
        tabs={[
          { name: "map", label: "Map" },
          { name: "preview", label: "Previewer" },
          { name: "rows", label: "Stored" },
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
