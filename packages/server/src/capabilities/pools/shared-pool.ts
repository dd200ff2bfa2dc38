// Which workers take whose jobs. Jobs of the managed surface wait in the shared pool; every dedicated surface has its own pool.

import { trustedId } from "../../foundation/ids.ts";
import type { PoolId } from "../jobs/index.ts";

export const sharedPool: PoolId = trustedId("00000000-0000-7000-8000-000000000001");
