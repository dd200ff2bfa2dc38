// The table of providers that ship with the server, for the documents.
import {
  shippedDefinition,
  shippedNames,
} from "../packages/server/src/capabilities/model-calls/catalog/shipped-providers.ts";

export async function shippedProvidersTable(): Promise<string> {
  const definitions = await Promise.all((await shippedNames()).map(shippedDefinition));
  const rows = definitions.flatMap((definition) => {
    if (definition === null || definition.credential.kind === "none") return [];
    const models = definition.models.map(({ model }) => `\`${definition.provider}/${model}\``).join(", ");
    return [`| ${definition.title ?? definition.provider} | \`${definition.credential.setting}\` | ${models} |`];
  });
  return ["| Provider | Setting | Models |", "|---|---|---|", ...rows].join("\n");
}
