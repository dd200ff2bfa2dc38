// GET /openapi.json of a surface with its own root: exactly the operations mounted there, below the URL at which it was
// requested. It describes the surface but not whose it is, so it requires no credential.
import { type Operation, openApiDocument, operations } from "@atelier/contract";
import { type Area, type Arrival, area } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";

export interface SurfaceDocumentDeps {
  readonly title: string;
  readonly version: string;
  // The operations mounted beside the document itself.
  readonly mounted: () => readonly Operation[];
  // The prefix of the paths where the request arrived; "/" at the root of a host.
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
