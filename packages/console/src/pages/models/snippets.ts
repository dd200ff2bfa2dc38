// The call of the playground in other words: each of them, pasted where it belongs, does the very same call. The key is
// never part of it.
import { parseJson, writeJson } from "@atelier/sdk";
import { prettyJson, pythonLiteral, scriptLiteral, shellWord } from "../../ui/snippets/literals.ts";

export interface SnippetFacts {
  readonly baseUrl: string;
  readonly model: string;
  readonly input: Readonly<Record<string, unknown>>;
  // The names of fields that the model's document says are texts.
  readonly textFields: ReadonlySet<string>;
  readonly isQueued: boolean;
  // The file that an answer which is no JSON is written to.
  readonly answerFile: string | null;
}

export type Language = "curl" | "typescript" | "python" | "cli";

export const snippetOf: Readonly<Record<Language, (facts: SnippetFacts) => string>> = {
  curl: curlSnippet,
  typescript: scriptSnippet,
  python: pythonSnippet,
  cli: cliSnippet,
};

// A single argument of a command may be 128 KiB; beyond, the body goes in by standard input.
const argumentMax = 100_000;

function curlSnippet({ baseUrl, model, input, isQueued, answerFile }: SnippetFacts): string {
  const body = prettyJson(input);
  const isLong = body.length > argumentMax;
  const lines = [
    `curl ${shellWord(`${baseUrl}/v1/models/${model}${isQueued ? "/requests" : ""}`)}`,
    `-H "Authorization: Bearer $ATELIER_API_KEY"`,
    "-H 'Content-Type: application/json'",
    ...(answerFile === null || isQueued ? [] : [`-o ${shellWord(answerFile)}`]),
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
  const url = `${baseUrl}/v1/models/${model}${isQueued ? "/requests" : ""}`;
  const show =
    answerFile === null || isQueued
      ? ['    print(answer.headers["X-Service-Request-Id"])', "    print(json.load(answer))"]
      : [`    open(${JSON.stringify(answerFile)}, "wb").write(answer.read())`];
  return [
    "import json",
    "import os",
    "import urllib.request",
    "",
    `model_input = ${pythonLiteral(input)}`,
    "request = urllib.request.Request(",
    `    ${JSON.stringify(url)},`,
    "    data=json.dumps(model_input).encode(),",
    "    headers={",
    '        "Authorization": f"Bearer {os.environ[\'ATELIER_API_KEY\']}",',
    '        "Content-Type": "application/json",',
    "    },",
    ")",
    "with urllib.request.urlopen(request) as answer:",
    ...show,
  ].join("\n");
}

function cliSnippet({ baseUrl, model, input, textFields, isQueued, answerFile }: SnippetFacts): string {
  const pairs = Object.entries(input).map(([name, value]) => [name, pairText(value, textFields.has(name))] as const);
  const isPlain = pairs.every(([name, text]) => !name.includes("=") && name !== "" && text.length < argumentMax / 10);
  const body = prettyJson(input);
  const lines = [
    `atelier models run ${shellWord(model)}`,
    `--base-url ${shellWord(baseUrl)}`,
    ...(isPlain ? pairs.map(([name, text]) => `-i ${shellWord(`${name}=${text}`)}`) : []),
    ...(isQueued ? ["--queue"] : []),
    ...(answerFile === null ? [] : [`-o ${shellWord(answerFile)}`]),
    ...(isPlain ? [] : ["--body - <<'JSON'"]),
  ];
  return lines.join(" \\\n  ") + (isPlain ? "" : `\n${body}\nJSON`);
}

// As the command reads it back: a text where the model wants one, elsewhere JSON where it is JSON; @ names a file, @@ is one @.
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
