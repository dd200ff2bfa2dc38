// A member's runs of this work, from any machine: the server keeps them, as for the playground. For visitors with a link, only
// their tab does.
import type { ModelResult } from "@atelier/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { atelier } from "../../api/atelier.ts";
import type { Input } from "../../api/model-calls/model-run.ts";
import { inputOfRun, keepRun, playgroundRunsQuery } from "../../api/model-calls/playground-runs.ts";
import { withoutPrivate } from "../../api/model-calls/without-private.ts";
import { foundMedia, kindOf } from "../../ui/viewers/found-media.ts";
import { type Made, madeMax, type Shown } from "./runs.ts";

export function useMemberRuns(work: string, isMember: boolean) {
  const client = useQueryClient();
  const runs = playgroundRunsQuery(work);
  const { data } = useQuery({
    queryKey: [...runs.queryKey, "shown"],
    enabled: isMember,
    queryFn: async (): Promise<readonly Made[]> => {
      const kept = (await client.fetchQuery(runs)).slice(0, madeMax);
      const entries = kept.map(async (run) => ({
        id: run.request_id ?? run.id,
        inputs: inputOfRun(run),
        media: (await Promise.all(run.asset_ids.map(shownAsset))).flat(),
      }));
      return (await Promise.all(entries)).filter(({ media }) => media.length > 0);
    },
  });
  return {
    made: data ?? none,
    // If it cannot be kept, the result is there all the same.
    keep: (input: Input, result: ModelResult<unknown>) => {
      if (!isMember || result.isReplay) return;
      const { requestId, creditsUsed: credits } = result;
      const assetIds = foundMedia(result.data).flatMap(({ assetId }) => assetId ?? []);
      keepRun({ model: work, input: withoutPrivate(input), requestId, credits, assetIds })
        .then(() => client.invalidateQueries({ queryKey: runs.queryKey }))
        .catch(() => undefined);
    },
  };
}

const none: readonly Made[] = [];

// Nothing if it was deleted meanwhile.
async function shownAsset(id: string): Promise<readonly Shown[]> {
  try {
    const { url, content_type, file_path } = await atelier.assets.get(id);
    return [{ url, kind: kindOf(content_type), name: file_path ?? id }];
  } catch {
    return [];
  }
}
