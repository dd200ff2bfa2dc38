// The secret that signs a proxy's webhooks, in a file of its home: a proxy has no account to ask for it, and a signature that
// no one can verify is useless. Written once, readable only by its owner. If the file is missing, a start creates a new secret,
// and the old one keeps signing beside it for a day.
import { access, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";

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
