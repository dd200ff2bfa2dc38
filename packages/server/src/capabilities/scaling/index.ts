// Scalers: they start and stop workers of one pool on this machine, or run a command, whenever the number that the server wants
// changes. No tables: the server keeps what scalers report (deployments).
export { leaveWhenIdle } from "./leave-when-idle.ts";
export { readScaling, type ScalingOptions } from "./read-scaling.ts";
export { ScalingHook } from "./run-hook.ts";
export { Scaler } from "./run-scaler.ts";
export type { ScalerOrders } from "./scaler-wire.ts";
