// The versions part of the registry: what publishers do with their versions. Each method checks the caller's permission
// itself.
import type { NodePath } from "../nodes/change-node.ts";
import type { Asked, Sent } from "../readers/actor.ts";
import { appealVersion, type ChangeVersionDeps, deleteVersion, updateVersion } from "./change-version.ts";
import type { Publication } from "./identify-publisher.ts";
import { type PublishDeps, publishVersion } from "./publish-version.ts";
import { readOwnReview, type VersionPath } from "./read-versions.ts";
import { type ArchiveUpload, type ReceiveArchiveDeps, receiveArchive } from "./receive-archive.ts";
import { listVersionNotes } from "./version-notes-store.ts";

export type Versions = ReturnType<typeof createVersions>;

export function createVersions(deps: ChangeVersionDeps & PublishDeps & ReceiveArchiveDeps) {
  return {
    publish: (at: NodePath, sent: Publication) => publishVersion(deps, at, sent),
    update: (at: VersionPath, sent: Sent) => updateVersion(deps, at, sent),
    delete: (at: VersionPath, asked: Asked) => deleteVersion(deps, at, asked),
    appeal: (at: VersionPath, sent: Sent) => appealVersion(deps, at, sent),
    readReview: (at: VersionPath, asked: Asked) => readOwnReview(deps, at, asked),
    // Null if it is not the address of an archive.
    receive: (upload: ArchiveUpload) => receiveArchive(deps, upload),
    // Events of public versions, newest first.
    listNotes: (count: number) => listVersionNotes(deps.database, count),
  };
}
