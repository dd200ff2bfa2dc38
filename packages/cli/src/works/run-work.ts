// `atelier works run`: one call of a work, like `atelier models run`. Files are uploaded first, and outputs are saved under the
// names that the form gives them.
import { extname } from "node:path";
import type { ModelResult } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { keepFile, replaceFile } from "../files/keep-file.ts";
import { uploadFile } from "../files/upload-file.ts";
import { isRecord } from "../json-record.ts";
import { runCall } from "../models/run-model.ts";
import { extensionOf, fetched, namesFolder, numbered } from "../models/save-answer.ts";
import type { Asked } from "../server/over-http.ts";

interface WorkFile {
  readonly output: string;
  readonly url: string;
  readonly contentType: string;
  readonly bytes: number;
}

export function runWork(asked: Asked, id: string, pairs: readonly string[], command = "works"): Promise<CommandResult> {
  const { atelier, input } = asked;
  const say = (line: string) => {
    if (!input.json) input.say(line);
  };
  const given = new Set(pairs.map((pair) => pair.slice(0, pair.indexOf("="))));
  return runCall(asked, {
    command,
    id,
    pairs,
    placeFile: async (path, name) => (await uploadFile({ atelier, say }, path, name, new AbortController().signal)).id,
    present: (_asked, answer) => present(asked, answer, given),
  });
}

async function present(
  { call, atelier, input }: Asked,
  answer: ModelResult<unknown>,
  given: ReadonlySet<string>,
): Promise<CommandResult> {
  const files = filesIn(answer.data);
  const facts = {
    request_id: answer.requestId,
    credits_used: answer.creditsUsed,
    is_replay: answer.isReplay,
    idempotency_key: answer.idempotencyKey,
    answer: answer.data,
  };
  if (!input.json) {
    for (const [name, seed] of chosenSeeds(answer.data, given)) input.say(`  ${name} ${seed}`);
    input.say(`credits ${answer.creditsUsed ?? "0"}   request ${answer.requestId ?? "unknown"}`);
  }
  const target = call.text("output");
  if (target === undefined) {
    const rows = files.map(({ output, contentType, bytes, url }) => [output, contentType, String(bytes), url]);
    return { data: facts, text: { columns: ["output", "type", "bytes", "address"], rows } };
  }
  const saved: string[] = [];
  for (const file of files) {
    const bytes = file.url.startsWith("data:")
      ? Buffer.from(file.url.slice(file.url.indexOf(",") + 1), "base64")
      : await fetched(atelier, file.url, answer.idempotencyKey);
    saved.push(
      namesFolder(target)
        ? await keepFile(bytes, { folder: target, name: fileName(file) })
        : await replaceFile(saved.length === 0 ? target : numbered(target, saved.length + 1), bytes),
    );
  }
  return { data: { ...facts, files: saved }, text: saved.join("\n") };
}

// The name of the output, which the server checked, with the ending of its type.
function fileName({ output, contentType, url }: WorkFile): string {
  const known = extensionOf(contentType);
  const written = url.startsWith("data:") ? "" : extname(new URL(url).pathname).slice(1);
  return `${output.replaceAll(/[^a-z0-9_]/g, "_")}.${known === "bin" && /^\w{1,8}$/.test(written) ? written : known}`;
}

// Seeds that the server chose: people need them to make the same picture again.
function chosenSeeds(answer: unknown, given: ReadonlySet<string>): [string, string][] {
  const inputs = isRecord(answer) && isRecord(answer["inputs"]) ? answer["inputs"] : {};
  return Object.entries(inputs)
    .filter(([name, value]) => /seed/.test(name) && !given.has(name) && /^(number|bigint)$/.test(typeof value))
    .map(([name, value]) => [name, String(value)]);
}

export function filesIn(answer: unknown): readonly WorkFile[] {
  const outputs = isRecord(answer) && isRecord(answer["outputs"]) ? answer["outputs"] : {};
  return Object.entries(outputs).flatMap(([output, files]) =>
    (Array.isArray(files) ? files : []).filter(isRecord).map(({ url, content_type: contentType, bytes }) => ({
      output,
      url: String(url),
      contentType: String(contentType),
      bytes: Number(bytes),
    })),
  );
}
