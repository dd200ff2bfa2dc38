// Copies an output of a model to the assets of the workspace that called it: fetched by its provider's own rules, named by the type
// of its bytes.

import { type Assets, sniffType } from "../../../capabilities/assets/index.ts";
import type { OutputKeeper } from "../../../capabilities/model-calls/index.ts";
import type { ServedModel } from "../../../capabilities/providers/index.ts";
import { onlyBlock } from "../../../foundation/byte-source.ts";

export interface OutputKeeperDeps {
  readonly assets: Pick<Assets, "receive">;
  open(url: string, model: ServedModel): Promise<Buffer | null>;
}

export function openOutputKeeper({ assets, open }: OutputKeeperDeps): OutputKeeper {
  return {
    async keep({ workspaceId, model, url, name }) {
      const bytes = await open(url, model);
      if (bytes === null) return null;
      const contentType = sniffType(bytes) ?? "application/octet-stream";
      const [, extension = "bin"] = /\/([a-z0-9]+)$/.exec(contentType) ?? [];
      const filePath = `${name}.${extension}`;
      const { asset } = await assets.receive({
        workspaceId,
        source: onlyBlock(bytes),
        expectedHash: null,
        describe: () => ({ contentType, filePath, tags: ["kept"], keepSeconds: null, expectedHash: null }),
        jobId: null,
      });
      return asset.id;
    },
  };
}
