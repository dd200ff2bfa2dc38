// The release notes of this process: what its router, partner proxy and badges offer, and what the registry recorded.
import { createHash } from "node:crypto";
import type { Registry } from "../../capabilities/registry/index.ts";
import { createReleaseNotes, type Offered, type ReleaseNotes } from "../../capabilities/release-notes/index.ts";
import type { OfferedWork, Works } from "../../capabilities/works/index.ts";
import type { Badges } from "./build-badges.ts";
import type { BuiltModelCalls } from "./build-model-calls.ts";
import type { Storage } from "./open/open-storage.ts";
import type { ProcessDeps } from "./process-deps.ts";
import type { Partners } from "./providers/build-partners.ts";

export interface Released {
  readonly models: BuiltModelCalls;
  readonly partners: Partners;
  readonly badges: Badges;
  readonly registry: Registry;
  readonly works: Pick<Works, "offered">;
}

export function buildReleaseNotes(
  { life, clock, storage }: ProcessDeps & { readonly storage: Storage },
  { models, partners, badges, registry, works }: Released,
): ReleaseNotes {
  const { database } = storage;
  const notes = createReleaseNotes({
    database,
    clock,
    offers: {
      async model() {
        if (!models.live.isLoaded()) return null;
        const served = models.live.list().flatMap((provider) => provider.models.filter(({ served }) => served));
        return [...served.map(modelOffer), ...(await works.offered()).map(workOffer)];
      },
      partner_tool: () =>
        partners.all.flatMap(({ definition }) =>
          definition.operations.map(({ path }) => offer(`${definition.partner}/${path.replace(/^\//, "")}`, path)),
        ),
      badge: () => [...badges.maps.current().newest].map(([nodeId, text]) => offer(nodeId, shortHash(text))),
    },
    async nodeVersions(count) {
      const found = await registry.versions.listNotes(count);
      return found.map(({ nodeId, version, ...note }) => ({
        ...note,
        kind: "node_version",
        subject: `${nodeId} ${version}`,
      }));
    },
  });
  life.work("release notes", notes, 5);
  return notes;
}

type LiveModel = ReturnType<BuiltModelCalls["live"]["list"]>[number]["models"][number];

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
