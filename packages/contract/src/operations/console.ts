// The pages for people: one document, the files it names, and what it must know first. All of it is public: the pages contain no
// one's data, and they fetch what they show with the viewer's credential.
import { Type } from "typebox";
import { ConsoleConfig } from "../console.ts";
import { headerName } from "../headers.ts";
import { operationTable } from "../operation.ts";
import { answer, emptyAnswer, genericFault, genericFaults, rawAnswer } from "./answers.ts";
import { tags } from "./tags.ts";

const common = { tag: tags.console, method: "GET", access: "public", refusals: genericFault } as const;
const segment = (description: string) => Type.String({ minLength: 1, description });
const page = segment("The page.");
const id = segment("The item.");
const part = segment("The part.");
const shown = {
  200: rawAnswer("text/html", "The console's document.", [headerName.cacheControl]),
  ...genericFaults(404, 429, 500, 503),
};
const description = "The same document for every page; the browser renders the page for its URL.";

export const consoleOperations = operationTable(common, {
  showConsole: { path: "/console", summary: "Open the console", description, answers: shown },
  showConsolePage: {
    path: "/console/{page}",
    summary: "Open a console page",
    description,
    params: Type.Object({ page }),
    answers: shown,
  },
  showConsoleThing: {
    path: "/console/{page}/{id}",
    summary: "Open a console page about one item",
    description,
    params: Type.Object({ page, id }),
    answers: shown,
  },
  showConsolePart: {
    path: "/console/{page}/{id}/{part}",
    summary: "Open a console page about part of an item",
    description,
    params: Type.Object({ page, id, part }),
    answers: shown,
  },
  showWork: {
    path: "/w/{provider}/{name}",
    summary: "Open the page of a work, for people who never see a graph",
    description:
      "The same document. The page runs the work as the member who is signed in, or with the key of a link, which is in the part of the address that browsers do not send.",
    params: Type.Object({ provider: segment("The first half of the work's id."), name: segment("The second half.") }),
    answers: shown,
  },
  getConsoleFile: {
    path: "/console/files/{name}",
    summary: "Get a console file",
    description: "Precompressed, under a name that changes with its content, so it can be cached forever.",
    params: Type.Object({ name: segment("The file's name.") }),
    headers: Type.Object({ [headerName.ifNoneMatch]: Type.Optional(Type.String()) }),
    answers: {
      200: {
        ...rawAnswer("text/javascript", "The file.", [headerName.cacheControl, headerName.etag]),
        otherContentTypes: ["text/css", "text/plain", "image/svg+xml", "application/json"],
        bytesContentTypes: ["application/wasm", "image/png", "image/webp", "font/woff2", "application/octet-stream"],
      },
      304: emptyAnswer("The caller already has it.", [headerName.cacheControl, headerName.etag]),
    },
  },
  getClientPackage: {
    path: "/packages/{name}",
    summary: "Download an SDK or the command line",
    description:
      "Packages of this server's own version. For npm: `npm i http://…/packages/sdk.tgz`, `npx -y " +
      "http://…/packages/cli.tgz`; they have no dependencies from a registry. For Python: `pip install " +
      "http://…/packages/atelier_sdk-<version>-py3-none-any.whl`, which needs httpx. The answer to a wrong name lists the names.",
    params: Type.Object({ name: segment("`sdk.tgz`, `cli.tgz` or the wheel's name.") }),
    headers: Type.Object({ [headerName.ifNoneMatch]: Type.Optional(Type.String()) }),
    answers: {
      200: {
        ...rawAnswer("application/gzip", "The package.", [headerName.cacheControl, headerName.etag]),
        bytesContentTypes: ["application/zip"],
      },
      304: emptyAnswer("The caller already has it.", [headerName.cacheControl, headerName.etag]),
    },
  },
  getConsoleConfig: {
    path: "/console/config.json",
    summary: "Get the console's start-up settings",
    answers: { 200: answer(ConsoleConfig, "Public facts about this server.") },
  },
});
