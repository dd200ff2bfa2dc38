// The application's HTTP operations, one function each: what is asked, and what counts as an answer.
import { randomBytes } from "node:crypto";
import {
  type Accepted,
  ApplicationProblem,
  type FileLocation,
  type NodeRefusals,
  type ViewedFile,
} from "./application.ts";
import { type ApplicationHttp, parsed } from "./line/application-http.ts";
import { isRecord, type JsonRecord, listAt, memberOf, recordAt, stringAt } from "./line/json-record.ts";
import { safeMessage } from "./line/safe-message.ts";
import { type HistoryEntry, type QueueSnapshot, readHistory, readQueue } from "./prompts/read-prompts.ts";

const queueBytesMax = 128 * 1024 * 1024;
const historyBytesMax = 64 * 1024 * 1024;
const objectInfoBytesMax = 128 * 1024 * 1024;
const objectInfoMs = 60_000;
// Loading classes can block an application for a long time.
const submitMs = 60_000;
const uploadMs = 600_000;
const promptIdCharactersMax = 200;

export async function askQueue(http: ApplicationHttp): Promise<QueueSnapshot> {
  const queue = readQueue(await http.json({ method: "GET", path: "/queue", answerBytesMax: queueBytesMax }));
  if (queue === null) throw new ApplicationProblem("garbage", "The application's queue cannot be read.");
  return queue;
}

export async function askHistory(http: ApplicationHttp, promptId: string): Promise<HistoryEntry | null> {
  const path = `/history/${encodeURIComponent(promptId)}`;
  const entry = readHistory(await http.json({ method: "GET", path, answerBytesMax: historyBytesMax }), promptId);
  if (entry === undefined) throw new ApplicationProblem("garbage", "The application's history cannot be read.");
  return entry;
}

export async function askObjectInfo(http: ApplicationHttp): Promise<Buffer> {
  const { status, body } = await http.call({
    method: "GET",
    path: "/object_info",
    answerBytesMax: objectInfoBytesMax,
    totalMs: objectInfoMs,
  });
  if (status !== 200) throw new ApplicationProblem("garbage", `The application answered ${status}.`);
  return body;
}

export interface SubmitAsked {
  readonly promptId: string;
  readonly graph: string;
  readonly clientId: string;
  readonly credential: string | null;
  readonly pngInfo?: string | null;
}

export async function askSubmit(http: ApplicationHttp, asked: SubmitAsked): Promise<Accepted> {
  const ids = `"client_id":${JSON.stringify(asked.clientId)},"prompt_id":${JSON.stringify(asked.promptId)}`;
  // The protocol's name for the credential of nodes that call partners.
  const extra = [
    ...(asked.credential === null ? [] : [`"api_key_comfy_org":${JSON.stringify(asked.credential)}`]),
    ...(asked.pngInfo ? [`"extra_pnginfo":${asked.pngInfo}`] : []),
  ];
  const extraData = extra.length === 0 ? "" : `,"extra_data":{${extra.join(",")}}`;
  const { status, body } = await http.call({
    method: "POST",
    path: "/prompt",
    // The graph is sent as text, so that its integers keep all their digits.
    json: `{"prompt":${asked.graph},${ids}${extraData}}`,
    totalMs: submitMs,
  });
  if (status !== 200 && status !== 400) throw new ApplicationProblem("garbage", `The application answered ${status}.`);
  const answer = parsed(body);
  if (!isRecord(answer)) throw new ApplicationProblem("garbage", "The application's answer is not a JSON object.");
  return status === 200 ? accepted(answer) : refused(answer);
}

function accepted(answer: JsonRecord): Accepted {
  const promptId = stringAt(answer, "prompt_id");
  if (promptId === null || promptId === "" || promptId.length > promptIdCharactersMax)
    throw new ApplicationProblem("garbage", "The application accepted the graph but returned no id.");
  return { kind: "accepted", promptId, refused: refusalsOf(answer) };
}

function refused(answer: JsonRecord): Accepted {
  const error = recordAt(answer, "error") ?? {};
  const message = [stringAt(error, "message"), stringAt(error, "details")].filter(Boolean).join(" ");
  return {
    kind: "refused",
    message: safeMessage(message, "The application refused the graph."),
    refused: refusalsOf(answer),
  };
}

function refusalsOf(answer: JsonRecord): NodeRefusals {
  return new Map(
    Object.entries(recordAt(answer, "node_errors") ?? {}).flatMap(([nodeId, about]) => {
      if (!isRecord(about)) return [];
      const [first] = listAt(about, "errors").filter(isRecord);
      const message = first ? [stringAt(first, "message"), stringAt(first, "details")].filter(Boolean).join(": ") : "";
      const classType = stringAt(about, "class_type") ?? "";
      return [[nodeId, { classType, message: safeMessage(message, "The node is not valid.") }] as const];
    }),
  );
}

export async function askView(
  http: ApplicationHttp,
  { name, subfolder, folder }: FileLocation,
  signal?: AbortSignal,
): Promise<ViewedFile | null> {
  const query = new URLSearchParams({ filename: name, subfolder, type: folder });
  const answer = await http.stream(`/view?${query}`, signal);
  if (answer.status === 200) return { body: answer.body, contentType: answer.contentType };
  answer.discard();
  // 400 and 403 too: if it will not give out a name, it does not have it.
  if (answer.status === 404 || answer.status === 400 || answer.status === 403) return null;
  throw new ApplicationProblem("garbage", `The application answered ${answer.status}.`);
}

export interface UploadAsked {
  readonly name: string;
  readonly source: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
  // As the application said. Null if it did not.
  readonly bytesMax: number | null;
}

export async function askUpload(http: ApplicationHttp, asked: UploadAsked): Promise<string> {
  const { name, signal } = asked;
  const source = upTo(asked.bytesMax ?? Number.POSITIVE_INFINITY, asked.source);
  const boundary = `----atelier${randomBytes(16).toString("hex")}`;
  const { status, body } = await http.call({
    method: "POST",
    path: "/upload/image",
    multipart: { boundary, body: streamForm(boundary, name, source) },
    totalMs: uploadMs,
    ...(signal ? { signal } : {}),
  });
  if (status === 413) throw new ApplicationProblem("too_large", "This input is too large for the application.");
  if (status !== 200)
    throw new ApplicationProblem("garbage", `The application answered ${status} when an input was uploaded.`);
  const answer = parsed(body);
  const given = isRecord(answer) ? stringAt(answer, "name") : null;
  if (!isRecord(answer) || given === null || given === "")
    throw new ApplicationProblem("garbage", "The application accepted an input but returned no name for it.");
  const subfolder = stringAt(answer, "subfolder") ?? "";
  return annotatedName({ name: given, subfolder, folder: "input" });
}

// Checked here, because an application that is sent too much closes the connection and looks as if it were down.
export async function* upTo(bytesMax: number, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of source) {
    total += chunk.length;
    if (total > bytesMax) throw new ApplicationProblem("too_large", "This input is too large for the application.");
    yield chunk;
  }
}

// `sub/file.png [output]`: without the folder in brackets a loader looks among the inputs.
export function annotatedName({ name, subfolder, folder }: FileLocation): string {
  const path = subfolder === "" ? name : `${subfolder}/${name}`;
  return folder === "input" ? path : `${path} [${folder}]`;
}

async function* streamForm(
  boundary: string,
  name: string,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const field = (key: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  yield Buffer.from(`${field("type", "input")}${head}`);
  yield* source;
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

// Cheap, and answered by every version.
export async function askAlive(http: ApplicationHttp): Promise<boolean> {
  try {
    const answer = await http.json({ method: "GET", path: "/prompt", totalMs: 5_000, answerBytesMax: 64 * 1024 });
    return isRecord(answer) && memberOf(answer, "exec_info") !== undefined;
  } catch {
    return false;
  }
}
