// The secret that signs a proxy's webhooks, in a file of its home: a proxy has no account that could be asked for it, and
// a signature that cannot be verified is none. Written once, for its owner alone. Without the file a start makes a new
// secret; the old one signs beside it for a day.
import { access, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WebhookSecrets } from "../../capabilities/webhooks/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";

export interface KeepWebhookSecretDeps {
  readonly home: string;
  readonly workspaceId: WorkspaceId;
  readonly secrets: Pick<WebhookSecrets, "rotate">;
}

export async function keepWebhookSecret({ home, workspaceId, secrets }: KeepWebhookSecretDeps): Promise<void> {
  const file = join(home, "webhook-secret.txt");
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const { text } = await secrets.rotate({ workspaceId }, { actor: { kind: "system", id: null } });
  const draft = `${file}.draft`;
  await writeFile(draft, `${text}\n`, { mode: 0o600, flush: true });
  await rename(draft, file);
}
