// Prints each module's weight next to the one in packages/server/test/architecture/module-weights.ts.
import { moduleWeights } from "../packages/server/test/architecture/module-weights.ts";
import { productSources } from "../packages/server/test/architecture/sources.ts";
import { weights } from "../packages/server/test/architecture/weigh.ts";

const found = weights(productSources);
const width = Math.max(...[...found.keys()].map((module) => module.length));
let total = 0;
for (const [module, lines] of found) {
  total += lines;
  const listed = moduleWeights[module]?.lines;
  const change = listed === undefined ? "not in the table" : `${(((lines - listed) / listed) * 100).toFixed(1)} %`;
  console.log(`${module.padEnd(width)}  ${String(lines).padStart(6)}  ${change.padStart(9)}`);
}
console.log(`${"all".padEnd(width)}  ${String(total).padStart(6)}`);
