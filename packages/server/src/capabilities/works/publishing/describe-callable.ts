// The works that a workspace may call, a page at a time, each with the schema of its input: two reads, however many there are.
import type { Clock } from "../../../foundation/clock.ts";
import type { Queryable } from "../../../foundation/database/index.ts";
import { formSchema } from "../form/form-schema.ts";
import { readFormText } from "../form/read-form.ts";
import { readDescriptions } from "./work-descriptions-store.ts";
import type { WantedPage } from "./work-read-store.ts";
import { listCallable } from "./work-read-store.ts";

export interface DescribedWork {
  readonly id: string;
  readonly title: string | null;
  readonly description: string | null;
  // An asset of the asking workspace; null for works of others and those without a picture.
  readonly cover: string | null;
  // Integers beyond 2^53 in it are bigints. Null if it is too long for a list.
  readonly inputSchema: Readonly<Record<string, unknown>> | null;
}

export interface DescribedPage {
  // In the order of their ids' bytes.
  readonly works: readonly DescribedWork[];
  // The id at which this page ends; null if it is the last one.
  readonly next: string | null;
}

export async function describeCallable(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  wanted: WantedPage,
): Promise<DescribedPage> {
  const { workspaceId, limit } = wanted;
  const found = await listCallable(database, { ...wanted, limit: limit + 1, at: clock.now() });
  const ids = found.slice(0, limit).map(({ modelId }) => modelId);
  const described = await readDescriptions(database, workspaceId, ids);
  return {
    works: described.map(({ modelId, title, description, cover, form }) => ({
      id: modelId,
      title,
      description,
      cover,
      inputSchema: form === null ? null : formSchema(readFormText(form)),
    })),
    next: found.length > limit ? (ids.at(-1) ?? null) : null,
  };
}
