// Environments: locks of applications that operators keep, to compare machines with and to pin deployments to.
import { type Static, Type } from "typebox";
import { pageOf } from "../pagination.ts";
import { entity, mapOf, notBlank, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";

const hash = (description: string) => Type.String({ pattern: "^[0-9a-f]{64}$", description });
const short = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });
const path = Type.String({ minLength: 1, maxLength: 1_000, description: "A relative path with forward slashes." });
const bytes = Type.Integer({ minimum: 0, maximum: 2 ** 53 - 1, description: "The size in bytes." });
const commit = nullable(
  Type.String({ pattern: "^[0-9a-f]{40,64}$" }),
  "The commit that is checked out; null outside of a repository.",
);
const closed = { additionalProperties: false };

const file = { path, bytes, sha256: hash("The SHA-256 of its bytes.") };

export const LockedFile = entity("LockedFile", "A file of a node pack.", file, closed);

export const LockedWeight = entity(
  "LockedWeight",
  "A file in the application's models folder.",
  { ...file, blake3: hash("The BLAKE3 hash of its bytes.") },
  closed,
);

export const LockedPack = entity(
  "LockedPack",
  "A node pack: a folder or a Python file in custom_nodes.",
  {
    name: Type.String({ minLength: 1, maxLength: 255, description: "The name of the folder or file." }),
    id: nullable(short("Its id."), "The id in its pyproject.toml; null if it has none."),
    version: nullable(short("Its version."), "The version in its pyproject.toml; null if it has none."),
    commit,
    files: Type.Array(LockedFile, { maxItems: 20_000, description: "Its files, in bytewise order of paths." }),
  },
  closed,
);

const LockedApplication = Type.Object(
  { version: short("The application's version."), commit },
  { ...closed, description: "The application itself." },
);

const LockedPython = Type.Object(
  {
    version: short("The version of the interpreter."),
    packages: mapOf(short("The installed version."), {
      maxProperties: 10_000,
      description: "The installed packages by name, in lower case with dashes.",
    }),
  },
  closed,
);

export const EnvironmentLock = entity(
  "EnvironmentLock",
  "Everything that decides what an application makes of a graph. `atelier env lock` writes it.",
  {
    atelier_lock: Type.Literal(1, { description: "The version of this format." }),
    application: LockedApplication,
    packs: Type.Array(LockedPack, { maxItems: 1_000, description: "Its node packs, in bytewise order of names." }),
    python: nullable(LockedPython, "The Python that runs it; null if it was left out."),
    weights: Type.Array(LockedWeight, {
      maxItems: 100_000,
      description: "Its models, in bytewise order of paths.",
    }),
    classes: nullable(
      mapOf(short("A fingerprint of its inputs and outputs."), { maxProperties: 50_000 }),
      "Its node classes; null if it was not running when the lock was made.",
    ),
    arguments: nullable(
      Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 }),
      "What it was started with, without addresses and folders; null if it was not running.",
    ),
  },
  closed,
);
export type EnvironmentLock = Static<typeof EnvironmentLock>;

const name = Type.String({ minLength: 1, maxLength: 100, pattern: notBlank, description: "The name." });
const note = Type.String({ maxLength: 1_000, description: "Why this version exists." });

export const SaveEnvironment = entity(
  "SaveEnvironment",
  "A lock to keep. Under a name that exists, it becomes the next version.",
  { name, note: Type.Optional(note), lock: EnvironmentLock },
  closed,
);

const saved = {
  id: Uuid,
  name,
  version: Type.Integer({ minimum: 1, description: "Counts the locks kept under this name." }),
  lock_id: hash("The id of the lock: equal environments have equal ids."),
  note: nullable(note, "Why this version exists; null if nobody said."),
  application_version: Type.String({ description: "The application's version." }),
  packs: Type.Integer({ minimum: 0, description: "How many node packs it has." }),
  weights: Type.Integer({ minimum: 0, description: "How many models it has." }),
  weight_bytes: Type.Integer({ minimum: 0, description: "The size of its models together." }),
  created_at: Timestamp,
};

export const Environment = entity("Environment", "A lock that is kept on this server.", saved);
export type Environment = Static<typeof Environment>;

export const EnvironmentPage = pageOf(Environment, "EnvironmentPage", "One page of environments, newest first.");

export const EnvironmentWithLock = entity("EnvironmentWithLock", "An environment with its lock.", {
  ...saved,
  lock: EnvironmentLock,
});

export const EnvironmentDifference = entity("EnvironmentDifference", "Something that differs between two locks.", {
  part: wordOf(["application", "pack", "python", "weight", "class", "argument"], { description: "What it is." }),
  name: Type.String({ description: "Its name or path." }),
  change: wordOf(["added", "removed", "changed"], { description: "What happened to it." }),
  words: Type.String({ description: "How it differs, for people." }),
});
export type EnvironmentDifference = Static<typeof EnvironmentDifference>;

export const EnvironmentDifferences = entity("EnvironmentDifferences", "What differs between two environments.", {
  data: Type.Array(EnvironmentDifference, { description: "At most 1,000 differences." }),
  total: Type.Integer({ minimum: 0, description: "How many there are." }),
});
