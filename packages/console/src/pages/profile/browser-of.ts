// Shortens a browser's user agent until people can recognise it. It is only ever shown as text.
import { profile as words } from "#strings/profile";

const programs: readonly [RegExp, string][] = [
  [/\bEdg\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\//, "Firefox"],
  [/\bHeadlessChrome\//, "Headless Chrome"],
  [/\bChrom(?:e|ium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];
const systems: readonly [RegExp, string][] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone|iPad\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

export function browserOf(userAgent: string | null): string {
  if (userAgent === null) return words.unknownBrowser;
  const program = programs.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (program === undefined) return userAgent.slice(0, 40);
  return system === undefined ? program : words.browserOn(program, system);
}
