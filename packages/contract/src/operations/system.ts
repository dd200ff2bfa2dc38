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
    summary: "Find this server's documentation",
    description: "JSON by default; an HTML page if the client accepts text/html.",
    access: "public",
    answers: {
      200: { ...answer(Index, "Links to the documentation."), otherContentTypes: ["text/html"] },
      ...readFaults,
    },
  },
  getHealth: {
    method: "GET",
    path: "/health",
    summary: "Check that the process responds",
    description: "Checks no dependency, so it tells a network fault from an outage.",
    access: "public",
    query: HealthQuery,
    answers: { 200: answer(Health, "It responds.") },
  },
  getLiveness: {
    method: "GET",
    path: "/livez",
    summary: "Check that the process is alive",
    description: "Stays 200 while the process drains.",
    access: "public",
    answers: { 200: answer(Health, "The process is alive.") },
  },
  getReadiness: {
    method: "GET",
    path: "/readyz",
    summary: "Check that the process is ready",
    access: "public",
    answers: {
      200: answer(Readiness, "Ready."),
      503: answer(Readiness, "Starting, draining, or a dependency is unavailable."),
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
    summary: "Get the OpenAPI document of all mounted operations",
    access: "public",
    answers: { 200: answer(document, "An OpenAPI 3.1 document."), ...readFaults },
  },
  getRegistryOpenApi: {
    method: "GET",
    path: "/openapi",
    summary: "Get the OpenAPI document at the path registry clients use",
    access: "public",
    answers: { 200: answer(document, "An OpenAPI 3.1 document."), ...readFaults },
  },
  getDocs: {
    method: "GET",
    path: "/docs",
    summary: "Read the API reference",
    access: "public",
    answers: { 200: rawAnswer("text/html", "An HTML page that works offline."), ...readFaults },
  },
  listGuides: {
    method: "GET",
    path: "/docs/guides",
    summary: "Read the list of guides",
    access: "public",
    answers: { 200: rawAnswer("text/html", "An HTML page that works offline."), ...readFaults },
  },
  getGuide: {
    method: "GET",
    path: "/docs/guides/{name}",
    summary: "Read a guide",
    access: "public",
    description:
      "The documents of the version that runs here. A row about an error code has that code as its fragment.",
    params: Type.Object({ name: Type.String({ minLength: 1, description: "The document's name, in lower case." }) }),
    answers: {
      200: rawAnswer("text/html", "An HTML page that works offline."),
      ...genericFaults(404),
      ...readFaults,
    },
  },
  getLlmsText: {
    method: "GET",
    path: "/llms.txt",
    summary: "Read the service's description for language models",
    access: "public",
    answers: { 200: rawAnswer("text/plain", "Markdown text."), ...readFaults },
  },
  getSecurityContact: {
    method: "GET",
    path: "/.well-known/security.txt",
    summary: "Find out where to report a security problem",
    description: "In the form of RFC 9116. 404 if the operator has set no contact.",
    access: "public",
    answers: {
      200: rawAnswer("text/plain", "The contact, and until when this holds."),
      ...genericFaults(404),
      ...readFaults,
    },
  },
  getReleaseNotes: {
    method: "GET",
    path: "/release-notes",
    summary: "Get the dated release notes",
    access: "public",
    description:
      "Changes to what this server offers (models, partner tools, badges and node versions that were added, deprecated or removed), then the release notes of the software. Available as Markdown, HTML, JSON or an Atom feed: choose with Accept or `format`.",
    query: Type.Object({
      format: Type.Optional(
        wordOf(["markdown", "html", "json", "atom"], { description: "The format. Without it, Accept decides." }),
      ),
    }),
    answers: {
      200: {
        ...rawAnswer("text/markdown", "The changes, newest first."),
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
    summary: "Get the dated release notes as JSON",
    access: "public",
    answers: { 200: answer(ReleaseNoteList, "The changes, newest first."), ...readFaults },
  },
});
