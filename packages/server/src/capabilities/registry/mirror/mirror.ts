// Everything mirror mode consists of: the reader, and its background work.
import type { Background } from "../../../foundation/background.ts";
import type { RegistryReader } from "../reading/registry-reader.ts";
import { type ArchiveCopiesDeps, createArchiveCopies } from "./archive-copies.ts";
import { type FollowDeps, followUpstream } from "./follow-upstream.ts";
import { createMirrorReader } from "./mirror-reader.ts";
import { createMirroredAddresses } from "./mirrored-addresses.ts";
import { createUpstreamRegistry } from "./upstream-registry.ts";

export interface MirrorSettings {
  readonly url: string;
  readonly seconds: number;
  readonly archives: "none" | "asked" | "latest";
  readonly archiveBytes: number;
}

export interface MirrorDeps
  extends Omit<FollowDeps, "upstream" | "everySeconds">,
    Pick<ArchiveCopiesDeps, "client" | "blobs" | "deletedDays"> {
  readonly contentUrl: () => string;
  readonly installable: readonly string[];
}

export interface Mirror {
  readonly read: RegistryReader;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

const lookEverySecondsMax = 30;

export function createMirror(given: MirrorDeps, settings: MirrorSettings, own: RegistryReader): Mirror {
  const deps = {
    ...given,
    upstream: createUpstreamRegistry(given.client, settings.url),
    freshSeconds: settings.seconds,
    everySeconds: settings.seconds,
  };
  const copies =
    settings.archives === "none"
      ? null
      : createArchiveCopies({
          ...deps,
          withLatest: settings.archives === "latest",
          bytesMax: settings.archiveBytes,
          lookEverySeconds: Math.min(settings.seconds, lookEverySecondsMax),
        });
  const copying = copies && { copies, addresses: createMirroredAddresses(deps.contentUrl) };
  return {
    read: createMirrorReader({ ...deps, copying }, own),
    async run(background, signal) {
      await Promise.all([followUpstream(deps, background, signal), copies?.run(background, signal)]);
    },
  };
}
