// GET /openapi.json of a surface that has a root of its own: exactly the operations that are mounted there, below the
// address at which it was asked. It says what the surface is like and nothing about whose it is, so it asks for no
// credential.
import { type Operation, openApiDocument, operations } from "@atelier/contract";
import { type Area, type Arrival, area } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";

export interface SurfaceDocumentDeps {
  readonly title: string;
  readonly version: string;
  // What is mounted beside the document itself.
  readonly mounted: () => readonly Operation[];
  // What stands before the paths where the request arrived; "/" at the root of a host.
  readonly serverOf: (arrival: Arrival) => string;
  readonly mountPath?: string;
}

export function surfaceDocument(deps: SurfaceDocumentDeps): Area {
  const { title, version, mountPath } = deps;
  const operation: Operation = operations.getOpenApi;
  return area<undefined>({
    name: "surface-document",
    prefixes: [],
    ...(mountPath === undefined ? {} : { mountPath }),
    authenticate: null,
    envelope: genericEnvelope,
    cors: "listed",
    routes: [
      {
        operation,
        handle(incoming) {
          const servers = [{ url: deps.serverOf(incoming) }];
          const document = openApiDocument({ operations: [...deps.mounted(), operation], title, version, servers });
          const headers = { "content-type": "application/json; charset=utf-8" };
          return { status: 200, headers, body: JSON.stringify(document) };
        },
      },
    ],
  });
}
