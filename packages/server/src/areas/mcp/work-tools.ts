// Every work that the caller may call is a tool with the schema of its form. A server is created for each message, so only the
// work that a message calls is registered on it; the list is read from the catalog page by page.
import { fromJsonSchema, type McpServer, type Tool } from "@modelcontextprotocol/server";
import { creditsText } from "../../capabilities/prices/index.ts";
import { readExactJson } from "../../foundation/json/exact-json.ts";
import { isRecord, type JsonRecord } from "../../foundation/json/json-record.ts";
import { maxCredits } from "./estimate-tools.ts";
import { callOptions } from "./model-call.ts";
import { type Presenting, presentResult } from "./model-tools.ts";
import { answering } from "./tool-answer.ts";
import type { PricedWork, WorkCatalog } from "./work-catalog.ts";
import { isWorkTool, toolOfWork, workOfTool } from "./work-names.ts";

// Names of form inputs begin with a letter, so these never meet one.
const ownArguments = {
  _max_credits: maxCredits,
  _idempotency_key: {
    type: "string",
    maxLength: 255,
    description: "Repeating a key returns the same call. Leave it out for a new call.",
  },
} as const;

const annotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: true } as const;

// The input is checked where every entrance is checked, with positions and the names of unknown members.
const anyArguments = fromJsonSchema<Record<string, unknown>>({ type: "object" });

// The first page begins with the tools that everybody has.
export function listWorkTools(server: McpServer, catalog: WorkCatalog, fixed: () => readonly Tool[]): void {
  server.server.setRequestHandler("tools/list", async ({ params }) => {
    const cursor = params?.cursor;
    const { works, ...more } = await catalog.page(cursor);
    return { tools: [...(cursor === undefined ? fixed() : []), ...works.map(toolOf)], ...more };
  });
}

function toolOf({ id, title, description, inputSchema, price }: PricedWork): Tool {
  const named = title ?? id;
  const sentence = description === null || description === "" ? "" : ` ${description}`;
  const credits = price && { lowest: creditsText(price.lowest), highest: creditsText(price.highest) };
  const inputs = inputSchema === null ? ` Its inputs: describe_model with the model ${id}.` : "";
  return {
    name: toolOfWork(id),
    title: named,
    description: `${named} (${id}), a published workflow.${sentence}${inputs} Runs it and waits for its outputs.${costsOf(credits)} credits_used says what a run cost.`,
    inputSchema: withOwnArguments(inputSchema),
    annotations,
    ...(credits === null ? {} : { _meta: { "atelier/credits": credits } }),
  };
}

function costsOf(credits: { readonly lowest: string; readonly highest: string } | null): string {
  if (credits === null) return "";
  const { lowest, highest } = credits;
  if (highest === "0") return " It costs nothing.";
  const range = lowest === highest ? "" : lowest === "0" ? "up to " : `${lowest} to `;
  return ` It costs ${range}${highest} ${highest === "1" ? "credit" : "credits"}.`;
}

function withOwnArguments(input: unknown): Tool["inputSchema"] {
  const schema = exactly(input);
  const members = isRecord(schema) ? schema : {};
  const { outputs_as: _agentsGetPictures, ...properties } = Object(members["properties"]);
  return { ...members, type: "object", properties: { ...properties, ...ownArguments } };
}

// A message that calls a work. Its text is kept: the official server parses it without exact integers.
export interface WorkMessage {
  readonly tool: string;
  readonly text: string;
}

export function calledWork(message: unknown, bytes: Buffer): WorkMessage | null {
  if (!isRecord(message) || message["method"] !== "tools/call" || !isRecord(message["params"])) return null;
  const { name } = message["params"];
  return typeof name === "string" && isWorkTool(name) ? { tool: name, text: bytes.toString("utf8") } : null;
}

export function registerWorkTool(
  server: McpServer,
  { tool, text }: WorkMessage,
  presenting: Presenting & { readonly catalog: WorkCatalog },
): void {
  const { atelier, catalog } = presenting;
  server.registerTool(tool, { inputSchema: anyArguments, annotations }, (_rounded, { mcpReq: { signal } }) =>
    answering(async () => {
      const id = workOfTool(tool) ?? (await catalog.find(tool)) ?? `w.unknown/${tool}`;
      const { _max_credits: most, _idempotency_key: key, ...input } = argumentsIn(text);
      const options = {
        ...(typeof most === "string" || typeof most === "number" ? { max_credits: most } : {}),
        ...(typeof key === "string" ? { idempotency_key: key } : {}),
      };
      const result = await atelier.models.run(id, input, callOptions(options, signal));
      return presentResult(presenting, id, result);
    }),
  );
}

function argumentsIn(text: string): JsonRecord {
  const message = readExactJson(text);
  const params = isRecord(message) ? message["params"] : undefined;
  const given = isRecord(params) ? params["arguments"] : undefined;
  return isRecord(given) ? given : {};
}

// Integers beyond 2^53 keep their digits when the official server writes the list.
function exactly(value: unknown): unknown {
  if (typeof value === "bigint") return raw.rawJSON(String(value));
  if (Array.isArray(value)) return value.map(exactly);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, exactly(each)]));
}

const raw: { rawJSON(text: string): unknown } = JSON as never;
