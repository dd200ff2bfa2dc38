// Dated notes about what this server offers, made from the offers themselves, so that none is forgotten. Every background
// process looks; the database lets one of them write a change down.
import type { Background } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { compare, type NoteKind, type Offered, type ReleaseNote, stateOf } from "./release-note.ts";
import { keepSeen, listNotes, listSubjects, lockSubjects } from "./release-note-store.ts";

export interface ReleaseNotes {
  // Newest first, including node versions.
  list(count: number): Promise<readonly ReleaseNote[]>;
  // Looks once at everything that is offered.
  look(): Promise<void>;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export interface ReleaseNotesDeps {
  readonly database: Database;
  readonly clock: Clock;
  // What is offered now, by kind. Null if not known yet.
  readonly offers: Readonly<Record<NoteKind, () => readonly Offered[] | null | Promise<readonly Offered[] | null>>>;
  // Published, deprecated and withdrawn node versions, newest first; the registry keeps its own record.
  nodeVersions(count: number): Promise<readonly ReleaseNote[]>;
}

const everyMs = 30_000;
// Records that a thing is still offered, well before it would count as gone.
const sightingMs = 3 * 60_000;

export function createReleaseNotes(deps: ReleaseNotesDeps): ReleaseNotes {
  const { database, clock } = deps;
  const seen = new Map<NoteKind, { readonly state: string; readonly at: number }>();

  async function lookAt(kind: NoteKind): Promise<void> {
    const offered = await deps.offers[kind]();
    if (offered === null) return;
    const now = clock.now();
    const state = JSON.stringify(offered.map((each) => [each.subject, stateOf(each)]));
    const last = seen.get(kind);
    if (last?.state === state && now.getTime() - last.at < sightingMs) return;
    await database.transaction(async (tx) => {
      await lockSubjects(tx);
      const compared = compare(kind, { known: await listSubjects(tx, kind), offered, now });
      await keepSeen(tx, kind, { seen: offered.map(({ subject }) => subject), compared, now });
    });
    seen.set(kind, { state, at: now.getTime() });
  }

  const look = async () => {
    await lookAt("model");
    await lookAt("partner_tool");
    await lookAt("badge");
  };
  return {
    look,
    async list(count) {
      const [noted, versions] = await Promise.all([listNotes(database, count), deps.nodeVersions(count)]);
      return [...noted, ...versions].sort((one, other) => other.at.getTime() - one.at.getTime()).slice(0, count);
    },
    run: (background, signal) =>
      background.run(
        { name: "release notes: look at what is offered", role: "background", everyMs, round: look },
        signal,
      ),
  };
}
