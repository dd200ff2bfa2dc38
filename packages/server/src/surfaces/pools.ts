// Which workers take whose jobs. The shared pool is where the managed surface's jobs wait; every dedicated surface has a
// pool of its own.
import type { PoolId } from "../capabilities/jobs/index.ts";
import { trustedId } from "../foundation/ids.ts";

export const sharedPool: PoolId = trustedId("00000000-0000-7000-8000-000000000001");
