// `atelier env push|ls|show|pin|unpin|workers`: locks of applications that a server keeps, and the pools that ask for them. Writing and checking them is the server package's half.
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { CommandResult } from "@atelier/server/commands";
import { unreadable } from "../files/unreadable.ts";
import { given } from "../given.ts";
import { ClientProblem } from "./client-problem.ts";
import { type Asked, asOperator, readAnswer, walkPages } from "./over-http.ts";

interface Environment {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly lock_id: string;
  readonly note: string | null;
  readonly application_version: string;
  readonly packs: number;
  readonly weights: number;
  readonly created_at: string;
}

export const environmentsCommand = asOperator({ push, ls: list, show, pin, unpin, workers });

async function push({ call, atelier }: Asked): Promise<CommandResult> {
  const [path = ""] = call.words;
  const lock = readJson(path);
  const name = call.text("name") ?? basename(path).replace(/(\.lock)?\.json$/, "");
  const json = { name, lock, ...given({ note: call.text("note") }) };
  const answer = await atelier.request("/admin/environments", { method: "POST", json });
  const kept = await readAnswer<Environment>(Promise.resolve(answer));
  const text =
    answer.status === 200
      ? `${kept.name} ${kept.version} is this lock already.`
      : `Kept as ${kept.name} ${kept.version} (lock ${kept.lock_id.slice(0, 12)}).`;
  return { data: kept, text };
}

async function list({ atelier }: Asked): Promise<CommandResult> {
  const kept = await Array.fromAsync(walkPages<Environment>(atelier, "/admin/environments", {}));
  return {
    data: kept,
    text: {
      columns: ["name", "version", "application", "packs", "weights", "lock", "note", "made", "id"],
      rows: kept.map((each) => [
        each.name,
        String(each.version),
        each.application_version,
        String(each.packs),
        String(each.weights),
        each.lock_id.slice(0, 12),
        each.note,
        new Date(each.created_at),
        each.id,
      ]),
      empty: "No environments are kept. Write a lock beside an application with: atelier env lock",
    },
  };
}

async function show({ call, atelier }: Asked): Promise<CommandResult> {
  const [id = ""] = call.words;
  const path = `/admin/environments/${encodeURIComponent(id)}`;
  const found = await readAnswer<Environment & { readonly lock: unknown }>(atelier.request(path));
  const output = call.text("output");
  const text = `${JSON.stringify(found.lock, null, 1)}\n`;
  if (output === undefined) return { data: found, text: text.trimEnd() };
  writeFileSync(output, text, { flag: "wx" });
  return { data: { ...found, output }, text: `Wrote the lock of ${found.name} ${found.version} to ${output}.` };
}

async function pin({ call, atelier }: Asked): Promise<CommandResult> {
  const [lock = "", pool = ""] = call.words;
  const kept = await namedLock(atelier, lock);
  const data = await readAnswer(atelier.request(poolPath(pool), { method: "PATCH", json: { lock_id: kept.lock_id } }));
  const text = `Workers of ${pool} must equal ${kept.name} ${kept.version} (lock ${kept.lock_id.slice(0, 12)}).`;
  return { data, text, afterwards: `See who does: atelier env workers ${pool}` };
}

async function unpin({ call, atelier }: Asked): Promise<CommandResult> {
  const [pool = ""] = call.words;
  const data = await readAnswer(atelier.request(poolPath(pool), { method: "PATCH", json: { lock_id: null } }));
  return { data, text: `No lock is pinned for ${pool}.` };
}

interface Worker {
  readonly id: string;
  readonly name: string;
  readonly engine: string;
  readonly lock_id: string | null;
  readonly problems: readonly string[];
}

async function workers({ call, atelier }: Asked): Promise<CommandResult> {
  const [pool = ""] = call.words;
  const { data } = await readAnswer<{ data: Worker[] }>(atelier.request(`${poolPath(pool)}/workers`));
  return {
    data,
    text: {
      columns: ["name", "engine", "lock", "gets jobs", "why not", "id"],
      rows: data.map(({ name, engine, lock_id, problems, id }) => [
        name,
        engine,
        lock_id?.slice(0, 12) ?? null,
        problems.length === 0 ? "yes" : "no",
        problems.join(" ") || null,
        id,
      ]),
      empty: `No worker of ${pool} is connected.`,
    },
  };
}

const poolPath = (pool: string) => `/admin/pools/${encodeURIComponent(pool)}`;

// By name (the newest version), name@version, or the beginning of the lock's id.
async function namedLock(atelier: Asked["atelier"], word: string): Promise<Environment> {
  const [, name = word, version] = /^(.*)@(\d+)$/.exec(word) ?? [];
  for await (const each of walkPages<Environment>(atelier, "/admin/environments", {})) {
    const isNamed = each.name === name && (version === undefined || each.version === Number(version));
    if (isNamed || (word.length >= 12 && each.lock_id.startsWith(word))) return each;
  }
  throw new ClientProblem("not_there", "not_found", `No environment is kept as ${word}. See: atelier env ls`);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw unreadable(path, error);
    throw new ClientProblem("usage", "usage", `${path} is not JSON.`);
  }
}
