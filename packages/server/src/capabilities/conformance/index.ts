export { type CheckNodes, checkNodes, type NodesFinding } from "./check-nodes.ts";
export { type CheckProvider, type ConformanceReport, checkProvider, type Finding } from "./check-provider.ts";
export { type CheckTexts, checkTexts, type TextCheck, type TextFinding } from "./check-texts.ts";
export { type FixtureAnswer, type FixtureCase, ProviderFixtures, readFixtures } from "./fixtures.ts";
export { type LiveCall, type LiveCallDeps, liveCall } from "./live-call.ts";
export { priceLines, reportLines, withoutFixtures } from "./report-words.ts";
export { type ScriptedProvider, scriptedProvider } from "./scripted-provider.ts";
export { type StandIns, standInsOf } from "./stand-ins.ts";
