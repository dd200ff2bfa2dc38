// Health, metrics and documents. Decisions, section 1: all public except the metrics.
import { Type } from "typebox";
import { Health, HealthQuery, Index, Readiness } from "../health.ts";
import { operationTable } from "../operation.ts";
import { ReleaseNoteList } from "../release-notes.ts";
import { wordOf } from "../wire-values.ts";
import { answer, genericFaults, rawAnswer } from "./answers.ts";
import { tags } from "./tags.ts";

const document = Type.Record(Type.String(), Type.Unknown(), {
  title: "OpenApiDocument",
  description: "An OpenAPI 3.1 document.",
});

// Reads of these are rate-limited by address; health checks never are.
const readFaults = genericFaults(429, 500, 503);

const common = { tag: tags.system } as const;

export const systemOperations = operationTable(common, {
  getIndex: {
    method: "GET",
    path: "/",
    summary: "Find the documents of this server",
    description: "JSON for programs; a page for whoever asks for text/html.",
    access: "public",
    answers: { 200: { ...answer(Index, "Where everything is."), otherContentTypes: ["text/html"] }, ...readFaults },
  },
  getHealth: {
    method: "GET",
    path: "/health",
    summary: "Ask whether the process answers",
    description: "Touches nothing, so it tells a network fault from an outage.",
    access: "public",
    query: HealthQuery,
    answers: { 200: answer(Health, "It answers.") },
  },
  getLiveness: {
    method: "GET",
    path: "/livez",
    summary: "Ask whether the process lives",
    description: "Stays 200 while the process drains.",
    access: "public",
    answers: { 200: answer(Health, "It lives.") },
  },
  getReadiness: {
    method: "GET",
    path: "/readyz",
    summary: "Ask whether the process can do its work",
    access: "public",
    answers: {
      200: answer(Readiness, "It is ready."),
      503: answer(Readiness, "It is starting, draining, or something it needs is away."),
    },
  },
  getMetrics: {
    method: "GET",
    path: "/metrics",
    summary: "Read the metrics as Prometheus text",
    access: "admin",
    answers: { 200: rawAnswer("text/plain", "Prometheus text."), ...genericFaults(401, 403, 429, 500, 503) },
  },
  getOpenApi: {
    method: "GET",
    path: "/openapi.json",
    summary: "Read the OpenAPI document of every mounted operation",
    access: "public",
    answers: { 200: answer(document, "An OpenAPI 3.1 document."), ...readFaults },
  },
  getRegistryOpenApi: {
    method: "GET",
    path: "/openapi",
    summary: "Read the same document where registry clients look for it",
    access: "public",
    answers: { 200: answer(document, "An OpenAPI 3.1 document."), ...readFaults },
  },
  getDocs: {
    method: "GET",
    path: "/docs",
    summary: "Read the API reference",
    access: "public",
    answers: { 200: rawAnswer("text/html", "A page that works offline."), ...readFaults },
  },
  getLlmsText: {
    method: "GET",
    path: "/llms.txt",
    summary: "Read the service's description for language models",
    access: "public",
    answers: { 200: rawAnswer("text/plain", "Markdown text."), ...readFaults },
  },
  getReleaseNotes: {
    method: "GET",
    path: "/release-notes",
    summary: "Read the dated release notes",
    access: "public",
    description:
      "What this server offers (models, partner tools, badges, node versions: added, deprecated, removed), then the program's own notes. As Markdown, as a page, as JSON or as an Atom feed: by Accept, or by `format`.",
    query: Type.Object({
      format: Type.Optional(
        wordOf(["markdown", "html", "json", "atom"], { description: "The form; else Accept decides." }),
      ),
    }),
    answers: {
      200: {
        ...rawAnswer("text/markdown", "What changed, newest first."),
        otherContentTypes: ["text/html", "application/atom+xml"],
        bytesContentTypes: ["application/json"],
      },
      ...genericFaults(400),
      ...readFaults,
    },
  },
  listReleaseNotes: {
    method: "GET",
    path: "/release-notes.json",
    summary: "Read the dated release notes as JSON",
    access: "public",
    answers: { 200: answer(ReleaseNoteList, "What changed, newest first."), ...readFaults },
  },
});
