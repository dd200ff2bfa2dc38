// How far our child processes are walled off from the rest of the machine, weakest level first, and what each level claims to
// stop. A hostile child tries every escape at every level (isolation.test.ts); docs/ISOLATION.md has this table in words.
// Decisions 0048: why these levels, and why a level claims no more than it was seen to hold.

export const isolationLevels = ["process", "permissions", "user", "bubblewrap"] as const;
export type IsolationLevel = (typeof isolationLevels)[number];

// What our children are for. `engine` runs graphs, `pictures` makes thumbnails, `archives` checks node packages, `badges` proves
// price badges.
export const childKinds = ["engine", "pictures", "archives", "badges"] as const;
export type ChildKind = (typeof childKinds)[number];

export const escapes = {
  inherit_secrets: "find a secret in its own environment, or a file that its parent had open",
  read_keys: "read the key ring",
  read_data: "list or read the data folder",
  read_parent: "read its parent's environment in /proc",
  write_outside: "write outside of its folder",
  dial_address: "connect to an address, loopback included",
  dial_socket: "connect to a socket in the file system, such as PostgreSQL's",
  start_program: "start another program",
  signal_parent: "signal its parent",
} as const;
export type Escape = keyof typeof escapes;

// What both complete walls hold.
const walledOff = [
  "inherit_secrets",
  "read_keys",
  "read_data",
  "read_parent",
  "write_outside",
  "dial_address",
  "dial_socket",
] as const satisfies readonly Escape[];

export const claims: Readonly<Record<IsolationLevel, readonly Escape[]>> = {
  process: ["inherit_secrets"],
  // Held by Node itself, so only for children whose code is all JavaScript.
  permissions: [...walledOff, "start_program"],
  user: ["inherit_secrets", "read_keys", "read_data", "read_parent", "signal_parent"],
  bubblewrap: [...walledOff, "signal_parent"],
};

// Node's permissions do not reach into native code, which is where pictures are decoded.
const onlyJavaScript: ReadonlySet<ChildKind> = new Set(["archives", "badges"]);

export function canHold(level: IsolationLevel, kind: ChildKind): boolean {
  return level !== "permissions" || onlyJavaScript.has(kind);
}
