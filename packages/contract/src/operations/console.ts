// The pages for people: one document, the files it names, and what it must know first. All of it is public: the pages contain no
// one's data, and they fetch what they show with the viewer's credential.
import { Type } from "typebox";
import { ConsoleConfig } from "../console.ts";
import { headerName } from "../headers.ts";
import { operationTable } from "../operation.ts";
import { answer, emptyAnswer, genericFaults, rawAnswer } from "./answers.ts";
import { tags } from "./tags.ts";

const common = { tag: tags.console, method: "GET", access: "public" } as const;
const segment = (description: string) => Type.String({ minLength: 1, description });
const page = segment("The page.");
const id = segment("What it shows.");
const part = segment("A part of that.");
const shown = {
  200: rawAnswer("text/html", "The console's document.", [headerName.cacheControl]),
  ...genericFaults(404, 429, 500, 503),
};
const description = "The same document for every page; the browser shows the page of its address.";

export const consoleOperations = operationTable(common, {
  showConsole: { path: "/console", summary: "Open the console", description, answers: shown },
  showConsolePage: {
    path: "/console/{page}",
    summary: "Open a page of the console",
    description,
    params: Type.Object({ page }),
    answers: shown,
  },
  showConsoleThing: {
    path: "/console/{page}/{id}",
    summary: "Open a page of the console about one thing",
    description,
    params: Type.Object({ page, id }),
    answers: shown,
  },
  showConsolePart: {
    path: "/console/{page}/{id}/{part}",
    summary: "Open a page of the console about a part of one thing",
    description,
    params: Type.Object({ page, id, part }),
    answers: shown,
  },
  getConsoleFile: {
    path: "/console/files/{name}",
    summary: "Read a file of the console",
    description: "Under a name that changes with its content, precompressed, to be kept for ever.",
    params: Type.Object({ name: segment("The file's name.") }),
    headers: Type.Object({ [headerName.ifNoneMatch]: Type.Optional(Type.String()) }),
    answers: {
      200: {
        ...rawAnswer("text/javascript", "The file.", [headerName.cacheControl, headerName.etag]),
        otherContentTypes: ["text/css", "image/svg+xml", "application/json"],
        bytesContentTypes: ["application/wasm", "image/png", "font/woff2", "application/octet-stream"],
      },
      304: emptyAnswer("The caller has it already.", [headerName.cacheControl, headerName.etag]),
      ...genericFaults(404, 429, 500, 503),
    },
  },
  getClientPackage: {
    path: "/packages/{name}",
    summary: "Download the SDK or the command line",
    description:
      "Packages for npm, of this server's own version: `npm i http://…/packages/sdk.tgz`, `npx -y http://…/packages/cli.tgz`. " +
      "They need nothing else from a registry.",
    params: Type.Object({ name: segment("`sdk.tgz` or `cli.tgz`.") }),
    headers: Type.Object({ [headerName.ifNoneMatch]: Type.Optional(Type.String()) }),
    answers: {
      200: rawAnswer("application/gzip", "The package.", [headerName.cacheControl, headerName.etag]),
      304: emptyAnswer("The caller has it already.", [headerName.cacheControl, headerName.etag]),
      ...genericFaults(404, 429, 500, 503),
    },
  },
  getConsoleConfig: {
    path: "/console/config.json",
    summary: "Read what the console must know first",
    answers: { 200: answer(ConsoleConfig, "Public facts of this server."), ...genericFaults(429, 500, 503) },
  },
});
