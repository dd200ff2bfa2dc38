export { checkNodes, type NodesFinding } from "./check-nodes.ts";
export { type ConformanceReport, checkProvider } from "./check-provider.ts";
export { type CheckTexts, checkTexts, type TextCheck } from "./check-texts.ts";
export { type FixtureAnswer, ProviderFixtures, readFixtures } from "./fixtures.ts";
export { type LiveCall, liveCall } from "./live-call.ts";
export { priceLines, reportLines, withoutFixtures } from "./report-words.ts";
export { type ScriptedProvider, scriptedProvider } from "./scripted-provider.ts";
export { type StandIns, standInsOf } from "./stand-ins.ts";
