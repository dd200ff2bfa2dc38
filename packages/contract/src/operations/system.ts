// Health, metrics and documents. Decisions, section 1: all public except the metrics.
import { Type } from "typebox";
import { Health, HealthQuery, Index, Readiness } from "../health.ts";
import type { Operation } from "../operation.ts";
import { answer, genericFault, rawAnswer } from "./answers.ts";
import { tags } from "./tags.ts";

const document = Type.Record(Type.String(), Type.Unknown(), {
  title: "OpenApiDocument",
  description: "An OpenAPI 3.1 document.",
});

// Whoever reads these is limited by address; how the process is may always be asked.
const readFaults = { 429: genericFault[429], 500: genericFault[500], 503: genericFault[503] };

export const systemOperations = {
  getIndex: {
    id: "getIndex",
    method: "GET",
    path: "/",
    tag: tags.system,
    summary: "Find the documents of this server",
    description: "JSON for programs; a page for whoever asks for text/html.",
    access: "public",
    answers: { 200: { ...answer(Index, "Where everything is."), otherContentTypes: ["text/html"] }, ...readFaults },
  },
  getHealth: {
    id: "getHealth",
    method: "GET",
    path: "/health",
    tag: tags.system,
    summary: "Ask whether the process answers",
    description: "Touches nothing, so it tells a network fault from an outage.",
    access: "public",
    query: HealthQuery,
    answers: { 200: answer(Health, "It answers.") },
  },
  getLiveness: {
    id: "getLiveness",
    method: "GET",
    path: "/livez",
    tag: tags.system,
    summary: "Ask whether the process lives",
    description: "Stays 200 while the process drains.",
    access: "public",
    answers: { 200: answer(Health, "It lives.") },
  },
  getReadiness: {
    id: "getReadiness",
    method: "GET",
    path: "/readyz",
    tag: tags.system,
    summary: "Ask whether the process can do its work",
    access: "public",
    answers: {
      200: answer(Readiness, "It is ready."),
      503: answer(Readiness, "It is starting, draining, or something it needs is away."),
    },
  },
  getMetrics: {
    id: "getMetrics",
    method: "GET",
    path: "/metrics",
    tag: tags.system,
    summary: "Read the metrics as Prometheus text",
    access: "admin",
    answers: {
      200: rawAnswer("text/plain", "Prometheus text."),
      401: genericFault[401],
      403: genericFault[403],
      429: genericFault[429],
      500: genericFault[500],
      503: genericFault[503],
    },
  },
  getOpenApi: {
    id: "getOpenApi",
    method: "GET",
    path: "/openapi.json",
    tag: tags.system,
    summary: "Read the OpenAPI document of every mounted operation",
    access: "public",
    answers: { 200: answer(document, "An OpenAPI 3.1 document."), ...readFaults },
  },
  getRegistryOpenApi: {
    id: "getRegistryOpenApi",
    method: "GET",
    path: "/openapi",
    tag: tags.system,
    summary: "Read the same document where registry clients look for it",
    access: "public",
    answers: { 200: answer(document, "An OpenAPI 3.1 document."), ...readFaults },
  },
  getDocs: {
    id: "getDocs",
    method: "GET",
    path: "/docs",
    tag: tags.system,
    summary: "Read the API reference",
    access: "public",
    answers: { 200: rawAnswer("text/html", "A page that works offline."), ...readFaults },
  },
  getLlmsText: {
    id: "getLlmsText",
    method: "GET",
    path: "/llms.txt",
    tag: tags.system,
    summary: "Read the service's description for language models",
    access: "public",
    answers: { 200: rawAnswer("text/plain", "Markdown text."), ...readFaults },
  },
  getReleaseNotes: {
    id: "getReleaseNotes",
    method: "GET",
    path: "/release-notes",
    tag: tags.system,
    summary: "Read the dated release notes",
    access: "public",
    answers: { 200: rawAnswer("text/markdown", "What changed, newest first."), ...readFaults },
  },
} as const satisfies Record<string, Operation>;
