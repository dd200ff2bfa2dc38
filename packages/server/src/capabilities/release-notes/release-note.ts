// What a note says, and how two looks at the current offers become notes. Pure.
export const noteKinds = ["model", "partner_tool", "badge"] as const;
export type NoteKind = (typeof noteKinds)[number];
export type NoteChange = "added" | "changed" | "deprecated" | "removed";

export interface ReleaseNote {
  readonly at: Date;
  readonly kind: NoteKind | "node_version";
  // A model's id, a partner's path, a node's id, or a node's id and version.
  readonly subject: string;
  readonly change: NoteChange;
  readonly deprecatedAt: Date | null;
  readonly sunsetAt: Date | null;
}

// One thing offered now.
export interface Offered {
  readonly subject: string;
  // If equal, nothing changed that a caller would notice.
  readonly fingerprint: string;
  readonly deprecatedAt: Date | null;
  readonly sunsetAt: Date | null;
}

export interface KnownSubject {
  readonly subject: string;
  readonly state: string;
  readonly seenAt: Date;
}

export interface Comparison {
  readonly notes: readonly ReleaseNote[];
  // Subjects whose state is new.
  readonly changed: readonly { readonly subject: string; readonly state: string }[];
  readonly removed: readonly string[];
}

// While servers of two versions run side by side, the older one does not know what the newer one offers. So a thing
// counts as gone only after no process has seen it for this long.
export const goneAfterMs = 10 * 60_000;

export function stateOf({ fingerprint, deprecatedAt, sunsetAt }: Offered): string {
  return JSON.stringify([fingerprint, deprecatedAt, sunsetAt]);
}

export function compare(
  kind: NoteKind,
  { known, offered, now }: { known: readonly KnownSubject[]; offered: readonly Offered[]; now: Date },
): Comparison {
  const before = new Map(known.map((each) => [each.subject, each]));
  const notes: ReleaseNote[] = [];
  const changed: { subject: string; state: string }[] = [];
  for (const each of offered) {
    const state = stateOf(each);
    const last = before.get(each.subject);
    before.delete(each.subject);
    if (last?.state === state) continue;
    changed.push({ subject: each.subject, state });
    const { subject, deprecatedAt, sunsetAt } = each;
    const note = (change: NoteChange) => notes.push({ at: now, kind, subject, change, deprecatedAt, sunsetAt });
    if (last === undefined) note("added");
    if (deprecatedAt !== null && !wasDeprecated(last)) note("deprecated");
    else if (last !== undefined) note("changed");
  }
  const gone = [...before.values()].filter(({ seenAt }) => now.getTime() - seenAt.getTime() >= goneAfterMs);
  const removed = gone.map(({ subject }) => subject);
  for (const subject of removed)
    notes.push({ at: now, kind, subject, change: "removed", deprecatedAt: null, sunsetAt: null });
  return { notes, changed, removed };
}

function wasDeprecated(last: KnownSubject | undefined): boolean {
  const state: unknown = last === undefined ? null : JSON.parse(last.state);
  return Array.isArray(state) && state[1] !== null;
}
