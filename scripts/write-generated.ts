// `npm run openapi`: writes everything that is generated from the code.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generatedFiles } from "./generated.ts";

for (const { path, text } of await generatedFiles()) {
  await writeFile(join(import.meta.dirname, "..", path), text);
  process.stdout.write(`wrote ${path}\n`);
}
