import assert from "node:assert/strict";
import { test } from "node:test";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { rowChargesFault } from "./charges.ts";

test("charges of rows that fail to load are reported while their rows are shown, and until they load", async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const cache = queries.getQueryCache();
  const refused = new Error("refused");
  let answer = () => Promise.reject<string>(refused);
  const row = (id: string) => new QueryObserver(queries, { queryKey: ["row-charges", id], queryFn: () => answer() });
  const other = new QueryObserver(queries, {
    queryKey: ["job", "1"],
    queryFn: () => Promise.reject(new Error("other")),
  });
  const leaveOther = other.subscribe(() => undefined);
  const leaveRows = [row("1"), row("2")].map((each) => each.subscribe(() => undefined));
  assert.equal(rowChargesFault(cache), null, "not while they load");
  await queries.refetchQueries();
  assert.equal(rowChargesFault(cache), refused, "not the fault of another request");
  leaveRows[0]?.();
  assert.equal(rowChargesFault(cache), refused, "one row is left");
  answer = () => Promise.resolve("1.5");
  await queries.refetchQueries({ queryKey: ["row-charges"], type: "active" });
  assert.equal(rowChargesFault(cache), null, "the other row is no longer shown");
  leaveRows[1]?.();
  leaveOther();
  queries.clear();
});
