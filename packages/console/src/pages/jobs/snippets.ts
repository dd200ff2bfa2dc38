// The job as a program would submit it. Each snippet is complete: pasted, it runs and saves the outputs.
import type { Job } from "@atelier/sdk";
import { labelsOf } from "../../api/labels.ts";
import { baseOf, cliCommand, keyGuard, type Language, scriptHead } from "../../ui/snippets/clients.ts";
import { prettyJson } from "../../ui/workflow-form/pretty-json.ts";

interface Facts {
  readonly base_url: string;
  readonly auth: "session" | "token" | "none";
}

export function jobSnippet(language: Language, job: Job, workflow: unknown, config: Facts): string {
  const base = baseOf(config.base_url);
  const body = { workflow, ...(labelsOf(job.metadata).length === 0 ? {} : { metadata: job.metadata }) };
  return written[language]({ base, needsKey: config.auth !== "none", workflow, body, job });
}

const written: Readonly<Record<Language, (parts: Parts) => string>> = { curl, typescript, python, cli };

interface Parts {
  readonly base: string;
  readonly needsKey: boolean;
  readonly workflow: unknown;
  readonly body: object;
  readonly job: Job;
}

const guard = ({ base, needsKey }: Parts): string => (needsKey ? `${keyGuard(base)}\n` : "");

// JSON never has a line with this word alone, so it ends the here-document and the shell interprets none of it.
function document(value: unknown): string {
  return `<<'JSON'\n${prettyJson(value)}\nJSON`;
}

function cli(parts: Parts): string {
  const { base, workflow, job } = parts;
  const labels = labelsOf(job.metadata).map((label) =>
    typeof job.metadata === "string" ? ` --label ${quoted(label)}` : ` --metadata ${quoted(label)}`,
  );
  return `${guard(parts)}${cliCommand(base)} run - --base-url ${quoted(base)}${labels.join("")} -o out/ ${document(workflow)}`;
}

function curl(parts: Parts): string {
  const { base, needsKey, body } = parts;
  const auth = needsKey ? ` -H "Authorization: Bearer $ATELIER_API_KEY"` : "";
  return `${guard(parts)}BASE=${quoted(base)}
job=$(curl -sS${auth} -H 'Content-Type: application/json' --data-binary @- "$BASE/api/v2/jobs" ${document(body)}
)
id=$(printf %s "$job" | sed -n 's/^{"id":"\\([^"]*\\)".*/\\1/p')
echo "Job $id"
# Follows it to its end, then fetches each output by its id.
curl -sSN${auth} "$BASE/api/v2/jobs/$id/events" > "job-$id.events"
sed -n '/^event: output/,/^$/s/^data: {"id":"\\([^"]*\\)","node_id":"[^"]*","name":"\\([^"]*\\)".*/\\1 \\2/p' "job-$id.events" |
while read -r output name; do
  curl -sSL${auth} -o "$name" "$BASE/api/v2/assets/$output/content" && echo "$name"
done`;
}

function typescript({ base, needsKey, workflow, job }: Parts): string {
  const labels = labelsOf(job.metadata).length === 0 ? "" : `, { metadata: ${prettyJson(job.metadata)} }`;
  const options = `{ baseUrl: ${JSON.stringify(base)}${needsKey ? "" : ', apiKey: ""'} }`;
  return `${scriptHead}
import { writeFile } from "node:fs/promises";
import { Atelier } from "@atelier/sdk";

const atelier = new Atelier(${options});${needsKey ? " // the key: ATELIER_API_KEY" : ""}
const graph = ${scriptOf(workflow)};
const { outputs } = await atelier.jobs.run(graph${labels});
for (const output of outputs) await writeFile(output.name, await atelier.jobs.download(output));
`;
}

// JSON, except that integers beyond 2^53 are written as bigint.
function scriptOf(value: unknown): string {
  return prettyJson(value).replaceAll(/"(?:[^"\\]|\\.)*"|-?\d+(?![\d.eE])/g, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `${token}n`,
  );
}

function python({ base, needsKey, body }: Parts): string {
  return `import json, os, time, urllib.request

base = ${JSON.stringify(base)}
headers = {"Content-Type": "application/json"${needsKey ? ', "Authorization": "Bearer " + os.environ["ATELIER_API_KEY"]' : ""}}
body = r"""${prettyJson(body).replaceAll('"""', '"\\u0022\\u0022')}"""

def ask(path, data=None):
    request = urllib.request.Request(base + path, data=data, headers=headers)
    with urllib.request.urlopen(request) as answer:
        return answer.read()

job = json.loads(ask("/api/v2/jobs", body.encode()))
while job["status"] not in ("succeeded", "failed", "canceled", "expired"):
    time.sleep(1)
    job = json.loads(ask(job["urls"]["self"]))
print(job["id"], job["status"], job["error"] or "")
for output in job["outputs"]:
    with open(output["name"], "wb") as file:
        file.write(ask(output["urls"]["content"]))
    print(output["name"])
`;
}

const quoted = (text: string) => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

// A saved file as a job, before there is any to copy from.
export const firstJob = (base: string): string =>
  `${cliCommand(base)} run workflow.json --base-url ${quoted(base)} -o out/`;
