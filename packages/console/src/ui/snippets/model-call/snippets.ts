// The playground's call in other languages: each snippet, pasted where it belongs, makes the very same call. The key is never
// part of it.
import { parseJson, writeJson } from "@atelier/sdk";
import { cliCommand, keyGuard, type Language, scriptHead } from "../clients.ts";
import { prettyJson, pythonLiteral, scriptLiteral, shellWord } from "../literals.ts";

export interface SnippetFacts {
  readonly baseUrl: string;
  readonly model: string;
  readonly input: Readonly<Record<string, unknown>>;
  // The fields that are text according to the model's document.
  readonly textFields: ReadonlySet<string>;
  readonly isQueued: boolean;
  // The file for an answer that is not JSON.
  readonly answerFile: string | null;
}

export const snippetOf: Readonly<Record<Language, (facts: SnippetFacts) => string>> = {
  curl: curlSnippet,
  typescript: scriptSnippet,
  python: pythonSnippet,
  cli: cliSnippet,
};

// A single argument is limited to 128 KiB; beyond that, the body goes through standard input.
const argumentMax = 100_000;

function curlSnippet(facts: SnippetFacts): string {
  const { baseUrl, answerFile } = facts;
  const into = answerFile === null ? "" : ` -o ${shellWord(answerFile)}`;
  if (!facts.isQueued) return `${keyGuard(baseUrl)}\n${curlPost(facts, `/v1/models/${facts.model}`, into)}`;
  // Submits, waits for the end, and fetches the answer from the address that the server gives.
  return `${keyGuard(baseUrl)}
call=$(${curlPost(facts, `/v1/models/${facts.model}/requests`, "")}
)
url() { printf %s "$call" | sed -n "s/.*\\"$1_url\\":\\"\\([^\\"]*\\)\\".*/\\1/p"; }
ask() { curl -sS -H "Authorization: Bearer $ATELIER_API_KEY" "$@"; }
if [ -z "$(url status)" ]; then
  echo "$call"
else
  until ask "$(url status)" | grep -q '"status":"COMPLETED"'; do sleep 1; done
  ask${into} "$(url response)"
fi`;
}

function curlPost({ baseUrl, input }: SnippetFacts, path: string, into: string): string {
  const body = prettyJson(input);
  const isLong = body.length > argumentMax;
  const lines = [
    `curl -sS${into} ${shellWord(baseUrl + path)}`,
    `-H "Authorization: Bearer $ATELIER_API_KEY"`,
    "-H 'Content-Type: application/json'",
    isLong ? "--data-binary @- <<'JSON'" : `--data-raw ${shellWord(body)}`,
  ];
  return lines.join(" \\\n  ") + (isLong ? `\n${body}\nJSON` : "");
}

function scriptSnippet({ baseUrl, model, input, isQueued, answerFile }: SnippetFacts): string {
  const show =
    answerFile === null
      ? // In full: an object that is printed as [Object] says nothing of where the picture is.
        ["console.log(requestId);", "console.dir(data, { depth: null });"]
      : [`await writeFile(${JSON.stringify(answerFile)}, bytes);`];
  return [
    scriptHead,
    ...(answerFile === null ? [] : ['import { writeFile } from "node:fs/promises";']),
    'import { Atelier } from "@atelier/sdk";',
    "",
    "// The key comes from ATELIER_API_KEY.",
    `const atelier = new Atelier({ baseUrl: ${JSON.stringify(baseUrl)} });`,
    `const { ${answerFile === null ? "data, requestId" : "bytes"} } = await atelier.models.${isQueued ? "subscribe" : "run"}(${JSON.stringify(model)}, ${scriptLiteral(input)});`,
    ...show,
  ].join("\n");
}

function pythonSnippet({ baseUrl, model, input, isQueued, answerFile }: SnippetFacts): string {
  const url = `${baseUrl}/v1/models/${model}`;
  const wait = [
    `call = json.loads(ask(${JSON.stringify(`${url}/requests`)}, model_input))`,
    'while json.loads(ask(call["status_url"]))["status"] != "COMPLETED":',
    "    time.sleep(1)",
    'answer = ask(call["response_url"])',
  ];
  return [
    "import json",
    "import os",
    ...(isQueued ? ["import time"] : []),
    "import urllib.request",
    "",
    `model_input = ${pythonLiteral(input)}`,
    'headers = {"Authorization": f"Bearer {os.environ[\'ATELIER_API_KEY\']}", "Content-Type": "application/json"}',
    "",
    "",
    "def ask(url, body=None):",
    "    data = None if body is None else json.dumps(body).encode()",
    "    with urllib.request.urlopen(urllib.request.Request(url, data=data, headers=headers)) as answer:",
    "        return answer.read()",
    "",
    "",
    ...(isQueued ? wait : [`answer = ask(${JSON.stringify(url)}, model_input)`]),
    answerFile === null ? "print(json.loads(answer))" : `open(${JSON.stringify(answerFile)}, "wb").write(answer)`,
  ].join("\n");
}

function cliSnippet({ baseUrl, model, input, textFields, isQueued, answerFile }: SnippetFacts): string {
  const pairs = Object.entries(input).map(([name, value]) => [name, pairText(value, textFields.has(name))] as const);
  const isPlain = pairs.every(([name, text]) => !name.includes("=") && name !== "" && text.length < argumentMax / 10);
  const body = prettyJson(input);
  const lines = [
    `${cliCommand(baseUrl)} models run ${shellWord(model)}`,
    `--base-url ${shellWord(baseUrl)}`,
    ...(isPlain ? pairs.map(([name, text]) => `-i ${shellWord(`${name}=${text}`)}`) : []),
    ...(isQueued ? ["--queue"] : []),
    ...(answerFile === null ? [] : [`-o ${shellWord(answerFile)}`]),
    ...(isPlain ? [] : ["--body - <<'JSON'"]),
  ];
  return `${keyGuard(baseUrl)}\n${lines.join(" \\\n  ")}${isPlain ? "" : `\n${body}\nJSON`}`;
}

// As the command parses it: text if the model wants text, otherwise JSON if it is JSON; @ names a file, @@ is a literal @.
function pairText(value: unknown, isTextField: boolean): string {
  if (typeof value !== "string") return writeJson(value);
  const text = value.startsWith("@") ? `@${value}` : value;
  return isTextField || text.startsWith("@") || !isJson(text) ? text : writeJson(text);
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}
