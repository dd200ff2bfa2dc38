// `index.json` in a folder of templates: what people read about them. Without it, names and titles come from the files' names.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { compileSchema } from "../../foundation/json/schema.ts";

export const indexName = "index.json";

const About = Type.Object({
  title: Type.Optional(Type.String({ maxLength: 200 })),
  description: Type.Optional(Type.String({ maxLength: 2_000 })),
  category: Type.Optional(Type.String({ maxLength: 100 })),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 32 })),
});
export type AboutTemplate = Static<typeof About>;

const TemplateIndex = Type.Object({
  // The package they were installed from.
  package: Type.Optional(Type.Object({ name: Type.String(), version: Type.String(), installed_at: Type.String() })),
  templates: Type.Record(Type.String(), About),
});
export type TemplateIndex = Static<typeof TemplateIndex>;

// Null if there is none. Throws what is wrong with it.
export async function readIndex(folder: string): Promise<TemplateIndex | null> {
  const text = await readFile(join(folder, indexName), "utf8").catch(() => null);
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  const schema = compileSchema(TemplateIndex);
  if (schema.accepts(value)) return value;
  const [first] = schema.violations(value);
  throw new Error(`${first?.path || "it"} ${first?.message}`);
}
