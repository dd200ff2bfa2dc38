// Which graphs the applications behind a pool's workers can run, by the classes that the workers described.
import type { Graphs } from "../areas/workflows/index.ts";
import type { PoolId } from "../capabilities/jobs/index.ts";
import type { Pools } from "../capabilities/pools/index.ts";
import { Fault } from "../foundation/fault.ts";

export function poolGraphs(_pools: Pick<Pools, "classesNow">, _poolId: PoolId): Graphs {
  const unknown = (): never => {
    throw new Fault("service_unavailable", "The node classes are not known yet.", { retryAfterSeconds: 5 });
  };
  return { isEditorFormat: unknown, convert: unknown, check: unknown, fileInputs: unknown };
}
