// The SDK's wire types, generated from the contract: plain interfaces that need no other package. We leave out the operators'
// operations: the SDK is for people who use the platform.
import { allOperations, openApiDocument } from "@atelier/contract";
import { componentsOf, declaration } from "./schema-types.ts";

// The SDK has its own events, made from these frames.
const leftOut = new Set(["JobEvent", "StatusEvent", "ProgressEvent", "PreviewEvent", "OutputEvent", "LogEvent"]);
// `Node` and the like would shadow browser types of that name.
const reserved = /^(?:Record|Readonly|Array)$/;

const document = openApiDocument({
  operations: allOperations.filter(({ access }) => access === "key" || access === "public"),
  title: "Atelier",
  version: "0",
  servers: [],
});
export const sdkSchemas = componentsOf(document);

export const sdkTypeNames: readonly string[] = Object.keys(sdkSchemas)
  .filter((name) => !leftOut.has(name) && !reserved.test(name))
  .sort();

export function sdkTypes(): string {
  return [
    "// Generated from the contract by `npm run openapi`; a test compares them. What the server sends and accepts, as plain types.",
    "",
    ...sdkTypeNames.flatMap((name) => [declaration(name, sdkSchemas[name] ?? {}), ""]),
  ]
    .join("\n")
    .replace(/\n+$/, "\n");
}
