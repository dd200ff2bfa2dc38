// Everything in the repository that is generated from the code: `npm run openapi` writes it, a test compares it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openApiDocument } from "@atelier/contract";
import { workflowCodeOf } from "../packages/server/src/areas/workflows/workflow-envelope.ts";
import { bucketOf } from "../packages/server/src/capabilities/model-calls/index.ts";
import { settingTable } from "../packages/server/src/config.ts";
import { type FaultCode, faultCodes } from "../packages/server/src/foundation/fault-codes.ts";
import { flagOf } from "../packages/server/src/foundation/settings.ts";
import { mountedOperations } from "../packages/server/src/processes/build/mounted-operations.ts";
import { serverVersion } from "../packages/server/src/processes/server-version.ts";
import { commandsTable } from "./commands-table.ts";
import { consoleOperations, consoleRoles } from "./console-operations.ts";
import { declaredClassesTable } from "./declared-classes-table.ts";
import { engineClassesTable } from "./engine-classes.ts";
import { engineReferencesTable } from "./engine-references.ts";
import { noticeText } from "./notice.ts";
import { fixturesSchema, nodesSchema, openaiMappingSchema, partnerSchema, providerSchema } from "./provider-schemas.ts";
import { syncModules } from "./python-sync.ts";
import { pythonTypes } from "./python-types.ts";
import { installationRolesTable, workspaceRolesTable } from "./roles-table.ts";
import { sdkTypes } from "./sdk-types.ts";
import { shippedProvidersTable } from "./shipped-providers-table.ts";

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

const root = join(import.meta.dirname, "..");

export async function generatedFiles(): Promise<GeneratedFile[]> {
  return [
    { path: "openapi.json", text: `${JSON.stringify(committedDocument(), null, 1)}\n` },
    { path: ".env.example", text: environmentExample() },
    { path: "NOTICE.md", text: await noticeText(root) },
    { path: "packages/server/atelier.config.schema.json", text: `${JSON.stringify(configSchema(), null, 2)}\n` },
    { path: "packages/sdk/src/generated/wire.ts", text: sdkTypes() },
    { path: "packages/python/src/atelier_sdk/wire.py", text: pythonTypes() },
    ...syncModules(root),
    { path: "packages/console/src/api/generated/operations.ts", text: consoleOperations() },
    { path: "packages/console/src/api/generated/roles.ts", text: consoleRoles() },
    { path: "packages/server/provider.schema.json", text: `${JSON.stringify(providerSchema(), null, 2)}\n` },
    { path: "packages/server/partner.schema.json", text: `${JSON.stringify(partnerSchema(), null, 2)}\n` },
    { path: "packages/server/provider-fixtures.schema.json", text: `${JSON.stringify(fixturesSchema(), null, 2)}\n` },
    {
      path: "packages/server/openai-mapping.schema.json",
      text: `${JSON.stringify(openaiMappingSchema(), null, 2)}\n`,
    },
    { path: "packages/server/provider-nodes.schema.json", text: `${JSON.stringify(nodesSchema(), null, 2)}\n` },
    await withBlock("docs/PROVIDERS.md", "shipped", await shippedProvidersTable()),
    await withBlock("docs/PARTNER-NODES.md", "declared", await declaredClassesTable()),
    await withBlock("docs/SETTINGS.md", "settings", settingsTable()),
    await withBlocks("docs/ERRORS.md", { faults: faultsTable(), buckets: bucketsTable() }),
    await withBlock("docs/ENGINE.md", "references", engineReferencesTable()),
    await withBlock("docs/NODE-CLASSES.md", "classes", engineClassesTable()),
    await withBlock("docs/CLI.md", "commands", commandsTable()),
    await withBlocks("docs/ROLES.md", { workspace: workspaceRolesTable(), installation: installationRolesTable() }),
  ];
}

// The committed document names the default address; a running server names its own.
function committedDocument() {
  return openApiDocument({
    operations: mountedOperations(),
    title: "Atelier API",
    version: serverVersion,
    servers: [{ url: "http://127.0.0.1:8080" }],
  });
}

const entries = Object.entries(settingTable);

function environmentExample(): string {
  const lines = entries.flatMap(([, setting]) => [
    "",
    `# ${setting.about}`,
    `#${setting.env}=${setting.defaultText ?? ""}`,
  ]);
  return [
    "# Every setting of the server with its default. Copy what you change into your environment.",
    ...lines,
    "",
  ].join("\n");
}

function configSchema() {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "atelier.config.json",
    description: "Settings of the Atelier server. Flags and environment variables win over this file.",
    type: "object",
    additionalProperties: false,
    properties: {
      $schema: { type: "string" },
      ...Object.fromEntries(
        entries.map(([key, setting]) => [
          key,
          {
            ...setting.jsonSchema,
            description: `${setting.about} (${setting.env})`,
            ...defaultOf(setting.defaultText, setting.jsonSchema),
          },
        ]),
      ),
    },
  };
}

function defaultOf(text: string | null, schema: Readonly<Record<string, unknown>>): { default?: unknown } {
  if (text === null) return {};
  if (schema["type"] === "integer") return { default: Number(text) };
  if (schema["type"] === "array") return { default: text === "" ? [] : text.split(",") };
  return { default: text };
}

function settingsTable(): string {
  const rows = entries.map(
    ([key, setting]) =>
      `| \`${setting.env}\` | \`--${flagOf(key)}\` | ${setting.defaultText ? `\`${setting.defaultText}\`` : "–"} | ${setting.about} |`,
  );
  return ["| Variable | Flag | Default | Meaning |", "|---|---|---|---|", ...rows].join("\n");
}

function faultsTable(): string {
  const codes = Object.entries(faultCodes) as [FaultCode, number][];
  const rows = codes.map(
    ([code, status]) => `| \`${code}\` | ${status} | \`${bucketOf(code)}\` | \`${workflowCodeOf(code)}\` |`,
  );
  return ["| Code (generic `error`) | Status | Bucket under `/v1` | Code in v2 |", "|---|---|---|---|", ...rows].join(
    "\n",
  );
}

function bucketsTable(): string {
  const codes = Object.keys(faultCodes) as FaultCode[];
  const byBucket = Map.groupBy(codes, (code) => bucketOf(code));
  const rows = [...byBucket]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([bucket, own]) => {
      const statuses = [...new Set(own.map((code) => faultCodes[code]))].sort((a, b) => a - b).join(", ");
      return `| \`${bucket}\` | ${statuses} | ${own.map((code) => `\`${code}\``).join(", ")} |`;
    });
  return ["| Bucket | Statuses | Codes behind it |", "|---|---|---|", ...rows].join("\n");
}

async function withBlock(path: string, name: string, text: string): Promise<GeneratedFile> {
  return withBlocks(path, { [name]: text });
}

async function withBlocks(path: string, blocks: Readonly<Record<string, string>>): Promise<GeneratedFile> {
  let text = await readFile(join(root, path), "utf8");
  for (const [name, block] of Object.entries(blocks)) {
    const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
    const from = text.indexOf(begin);
    const to = text.indexOf(end);
    if (from === -1 || to < from) throw new Error(`${path} has no block ${name}.`);
    text = `${text.slice(0, from + begin.length)}\n${block}\n${text.slice(to)}`;
  }
  return { path, text };
}
