// The first half of the model ids of a workspace's works. It begins with `w.`, which no provider or partner can have, so a work
// never collides with a model that the server offers later.
import { randomBytes } from "node:crypto";
import { workPrefix } from "../../providers/index.ts";

const slugMax = 40;
const numberedMax = 9;

// Proposals made from the workspace's name, the best first. The last one is random, so one of them is free.
export function proposeProviders(workspaceName: string): readonly string[] {
  const plain = `${workPrefix}${slugOf(workspaceName)}`;
  const numbered = Array.from({ length: numberedMax - 1 }, (_, at) => `${plain}-${at + 2}`);
  return [plain, ...numbered, `${plain}-${randomBytes(5).toString("hex")}`];
}

function slugOf(name: string): string {
  const letters = name.normalize("NFKD").toLowerCase().replaceAll(/\p{M}/gu, "").replaceAll(/['’]/g, "");
  const words = letters
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, slugMax)
    .replaceAll(/^-+|-+$/g, "");
  return words === "" ? "workspace" : words;
}
