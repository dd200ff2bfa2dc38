// The release notes of this process: what its router, partner proxy and badges offer, and what the registry recorded.
import { createHash } from "node:crypto";
import type { Registry } from "../../capabilities/registry/index.ts";
import { createReleaseNotes, type Offered, type ReleaseNotes } from "../../capabilities/release-notes/index.ts";
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
}

export function buildReleaseNotes(
  { life, clock, storage }: ProcessDeps & { readonly storage: Storage },
  { models, partners, badges, registry }: Released,
): ReleaseNotes {
  const { database } = storage;
  const notes = createReleaseNotes({
    database,
    clock,
    offers: {
      model: () =>
        models.live.isLoaded()
          ? models.live.list().flatMap(({ models }) => models.filter(({ served }) => served).map(modelOffer))
          : null,
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

const offer = (subject: string, fingerprint: string): Offered => ({
  ...{ subject, fingerprint, deprecatedAt: null, sunsetAt: null },
});

const shortHash = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 22);
