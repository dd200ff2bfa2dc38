// Who may call a work, and whether it is deprecated.
import type { Work } from "@atelier/sdk";
import { Globe, Hourglass, Lock, Share2 } from "lucide-react";
import type { ReactNode } from "react";
import { works as words } from "#strings/works/pages";
import { Chip } from "../../ui/chip.tsx";

const icons = { private: Lock, shared: Share2, public: Globe } as const;

export function WorkChips({ work }: { readonly work: Work }): ReactNode {
  return (
    <>
      <Chip icon={icons[work.visibility]} tone={work.visibility === "private" ? "plain" : "info"}>
        {words.visibilities[work.visibility]}
      </Chip>
      {work.deprecated_at === null ? null : (
        <Chip icon={Hourglass} tone="warn">
          {words.deprecated}
        </Chip>
      )}
    </>
  );
}
