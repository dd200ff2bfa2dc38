// `atelier deployments`: the records of dedicated deployments. `atelier deployment <id>` serves one of them.
import type { CommandResult } from "@atelier/server/commands";
import { readJsonFile } from "../jobs/read-graph.ts";
import { type Asked, asOperator, readAnswer, walkPages } from "../server/over-http.ts";
import { confirm } from "../terminal/confirm.ts";

interface Deployment {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly reason: string | null;
  readonly workers_wanted: number;
  readonly workers: readonly {
    readonly name: string;
    readonly matches: boolean;
    readonly problems: readonly string[];
  }[];
  readonly unfinished_jobs: number;
  readonly urls: { readonly mount: string };
}

export const deploymentsCommand = asOperator({
  ls: list,
  show,
  create: (asked) => send(asked, "/admin/deployments", "POST", asked.call.words[0]),
  change: (asked) => send(asked, pathOf(asked), "PATCH", asked.call.words[1]),
  stop,
  start: (asked) => send(asked, `${pathOf(asked)}/start`, "POST"),
  rm: remove,
});

const pathOf = ({ call }: Asked) => `/admin/deployments/${encodeURIComponent(call.words[0] ?? "")}`;

async function list({ atelier }: Asked): Promise<CommandResult> {
  const data = await Array.fromAsync(walkPages<Deployment>(atelier, "/admin/deployments", {}));
  const rows = data.map(({ name, state, workers, workers_wanted: wanted, unfinished_jobs: jobs, id }) => [
    ...[name, state, `${workers.filter(({ matches }) => matches).length} of ${wanted}`, String(jobs), id],
  ]);
  const empty = "No deployments. Create one: atelier deployments create deployment.json";
  return { data, text: { columns: ["name", "state", "workers", "jobs", "id"], rows, empty } };
}

async function show(asked: Asked): Promise<CommandResult> {
  return present(await readAnswer<Deployment>(asked.atelier.request(pathOf(asked))));
}

async function send({ atelier }: Asked, path: string, method: "PATCH" | "POST", file?: string): Promise<CommandResult> {
  const body = file === undefined ? {} : { json: readJsonFile(file) };
  return present(await readAnswer<Deployment>(atelier.request(path, { method, ...body })));
}

async function stop(asked: Asked): Promise<CommandResult> {
  await confirm("Stop this deployment? New submissions are refused; accepted jobs are kept.", asked.call, asked.input);
  return send(asked, `${pathOf(asked)}/stop`, "POST");
}

async function remove(asked: Asked): Promise<CommandResult> {
  const question = "Remove this deployment? Its unfinished jobs are canceled, and its jobs can no longer be read.";
  await confirm(question, asked.call, asked.input);
  await asked.atelier.request(pathOf(asked), { method: "DELETE" });
  return { data: { id: asked.call.words[0], removed: true }, text: "The deployment is removed." };
}

function present(data: Deployment): CommandResult {
  const lines = [
    `${data.name} is ${data.state}${data.reason === null ? "." : `: ${data.reason}`}`,
    `  ${data.workers_wanted} workers wanted, ${data.unfinished_jobs} unfinished jobs, served at ${data.urls.mount}`,
    ...data.workers.map(({ name, matches, problems }) => `  ${name}: ${matches ? "matches" : problems.join("; ")}`),
    `  ${data.id}`,
  ];
  return { data, text: lines.join("\n") };
}
