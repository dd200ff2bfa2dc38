// The shape of one operation of the wire. The table in operations.ts is made of these; the server's routes, the OpenAPI
// document, the SDK's types and the test that calls every operation are all derived from it.
import type { TObject, TSchema } from "typebox";
import type { RoleInWorkspace, RoleOnInstallation } from "./roles.ts";

// HEAD works wherever GET does. It is an operation of its own only if the contract has no GET for the path.
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";

// Who may call: `public` no credential; `key` an API key or cloud identity JWT; `admin` an operator token;
// `session` a person who signed in with a browser; `worker` a worker's token.
export type Access = "public" | "key" | "admin" | "session" | "worker";

// For which targets a person must have signed in a short while ago: all of them, or only those that concern an owner.
export type FreshSignIn = "always" | "for_owners";

export interface AnswerShape {
  readonly description: string;
  // Absent if there is no body.
  readonly schema?: TSchema;
  readonly contentType?: string;
  // If the caller chooses the format: the other content types for the same content.
  readonly otherContentTypes?: readonly string[];
  // Content types for which raw bytes are returned instead, for example audio passed through from the partner.
  readonly bytesContentTypes?: readonly string[];
  readonly headers?: readonly string[];
}

export interface BodyShape {
  readonly contentType: string;
  readonly schema: TSchema;
  readonly required: boolean;
}

export interface Operation<Id extends string = string> {
  readonly id: Id;
  readonly method: Method;
  // Path parameters in braces: /v1/models/{provider}/{model}
  readonly path: `/${string}`;
  // The area's name as people read it in the OpenAPI document's tags.
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  // The least role that may call it, if it is not the usual one (roles.ts).
  readonly role?: RoleInWorkspace | RoleOnInstallation;
  readonly freshSignIn?: FreshSignIn;
  // If true, a browser session is enough as well.
  readonly takesSession?: boolean;
  // If true, the body may carry the credential instead of a header (publisher tokens).
  readonly credentialInBody?: boolean;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly body?: BodyShape;
  readonly answers: Readonly<Record<number, AnswerShape>>;
  readonly deprecated?: boolean;
}

// The answers with which an area refuses, by status.
type Refusals = Readonly<Record<number, AnswerShape>>;

type Common = Partial<Pick<Operation, "access">> & Pick<Operation, "tag"> & { readonly refusals?: Refusals };
type OperationEntry<Shared> = Omit<Operation, "id" | keyof Shared> &
  Partial<Pick<Operation, keyof Operation & keyof Shared>> & {
    readonly id?: never;
    // Usual refusals that it does not give.
    readonly notRefusedWith?: readonly number[];
  };

export type OperationTable<Shared, Table> = {
  readonly [Id in keyof Table & string]: Omit<Shared, keyof Table[Id] | "refusals"> &
    Omit<Table[Id], "notRefusedWith"> & { readonly id: Id };
};

// Operations by id, each written without the fields they share; an operation's own field wins. With `refusals`, its answers
// include those that follow from what it is and takes.
export function operationTable<
  const Shared extends Common,
  const Table extends Readonly<Record<string, OperationEntry<Shared>>>,
>(common: Shared, table: Table): OperationTable<Shared, Table>;
export function operationTable(
  { refusals = {}, ...common }: Common,
  table: Readonly<Record<string, OperationEntry<Common>>>,
) {
  return Object.fromEntries(
    Object.entries(table).map(([id, { notRefusedWith = [], ...entry }]) => {
      const usual = usualRefusals({ ...common, ...entry }).filter((status) => !notRefusedWith.includes(status));
      const refused = Object.entries(refusals).filter(([status]) => usual.includes(Number(status)));
      return [id, { ...common, ...entry, id, answers: { ...Object.fromEntries(refused), ...entry.answers } }];
    }),
  );
}

// Every operation can be asked too often or fail. One that needs a credential refuses a wrong one and callers without the
// right; a query or a body may be invalid, a body too large, and what the path names may not exist.
function usualRefusals({ access, params, query, body }: Partial<Operation>): number[] {
  return [
    ...(query !== undefined || body !== undefined ? [400] : []),
    ...(access === "public" ? [] : [401, 403]),
    ...(params === undefined ? [] : [404]),
    ...(body === undefined ? [] : [413]),
    ...[429, 500, 503],
  ];
}
