// What the registry's operations share: their path parameters, and how each kind of call can fail.
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import { PublisherId } from "../node-registry.ts";
import { genericFaults } from "./answers.ts";

export const nodeId = Type.String({ minLength: 1, description: "The node's id, case-insensitive." });
export const nodeParams = Type.Object({ nodeId });
export const publisherParams = Type.Object({ publisherId: PublisherId });
export const conditional = Type.Object({ [headerName.ifNoneMatch]: Type.Optional(Type.String()) });

export const readFaults = genericFaults(403, 404, 429, 500, 503);
// For operations with a credential, and for those that also have a body.
export const memberFaults = { ...genericFaults(401), ...readFaults };
export const writeFaults = { ...genericFaults(400, 413), ...memberFaults };
