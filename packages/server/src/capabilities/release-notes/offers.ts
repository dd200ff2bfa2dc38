// What this server offers, as its notes compare it: models and works, the tools of partners, badges, and node versions.
import { createHash } from "node:crypto";
import type { Partner } from "../partners/index.ts";
import type { LiveProvider, LiveProviders } from "../providers/index.ts";
import type { Registry } from "../registry/index.ts";
import type { OfferedWork, Works } from "../works/index.ts";
import type { Offered } from "./release-note.ts";
import type { ReleaseNotesDeps } from "./release-notes.ts";

export interface OfferedHere {
  readonly live: Pick<LiveProviders, "isLoaded" | "list">;
  readonly partners: readonly Pick<Partner, "definition">[];
  // The texts of badges by node.
  badges(): ReadonlyMap<string, string>;
  readonly registry: { readonly versions: Pick<Registry["versions"], "listNotes"> };
  readonly works: Pick<Works, "offered">;
}

export function offersOf({
  live,
  partners,
  badges,
  registry,
  works,
}: OfferedHere): Pick<ReleaseNotesDeps, "offers" | "nodeVersions"> {
  return {
    offers: {
      async model() {
        if (!live.isLoaded()) return null;
        const served = live.list().flatMap((provider) => provider.models.filter(({ served }) => served));
        return [...served.map(modelOffer), ...(await works.offered()).map(workOffer)];
      },
      partner_tool: () =>
        partners.flatMap(({ definition }) =>
          definition.operations.map(({ path }) => offer(`${definition.partner}/${path.replace(/^\//, "")}`, path)),
        ),
      badge: () => [...badges()].map(([nodeId, text]) => offer(nodeId, shortHash(text))),
    },
    async nodeVersions(count) {
      const found = await registry.versions.listNotes(count);
      return found.map(({ nodeId, version, ...note }) => ({
        ...note,
        kind: "node_version",
        subject: `${nodeId} ${version}`,
      }));
    },
  };
}

type LiveModel = LiveProvider["models"][number];

function modelOffer({ id, marks: { deprecatedAt, sunsetAt } }: LiveModel): Offered {
  return { subject: id, fingerprint: "", deprecatedAt, sunsetAt };
}

// A work that every workspace may call: a new version is a change.
function workOffer({ modelId, version, deprecatedAt, sunsetAt }: OfferedWork): Offered {
  return { subject: modelId, fingerprint: String(version), deprecatedAt, sunsetAt };
}

const offer = (subject: string, fingerprint: string): Offered => ({
  ...{ subject, fingerprint, deprecatedAt: null, sunsetAt: null },
});

const shortHash = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 22);
