// The badge of a class as the application's editor reads it. The editor turns dollars into credits at a rate of its own, so if
// this server has another rate, we scale the badge's dollars. Then people see the credits that they will pay.
import { isRecord } from "../../foundation/json/json-record.ts";

const editorCreditsPerUsd = 211;

export function editorBadge(text: string, creditsPerUsd: number): string {
  if (creditsPerUsd === editorCreditsPerUsd) return text;
  const badge: unknown = JSON.parse(text);
  if (!isRecord(badge) || typeof badge["expr"] !== "string") return text;
  return JSON.stringify({ ...badge, expr: scaled(badge["expr"], creditsPerUsd) });
}

// In JSONata. What is shown as text stays.
function scaled(expr: string, creditsPerUsd: number): string {
  const own = (member: string) => `$shown.${member} * ${creditsPerUsd} / ${editorCreditsPerUsd}`;
  const cases = [
    `$shown.type = "usd" ? $merge([$shown, {"usd": ${own("usd")}}])`,
    `$shown.type = "range_usd" ? $merge([$shown, {"min_usd": ${own("min_usd")}, "max_usd": ${own("max_usd")}}])`,
    `$shown.type = "list_usd" ? $merge([$shown, {"usd": [$shown.usd.($ * ${creditsPerUsd} / ${editorCreditsPerUsd})]}])`,
  ];
  return `($shown := (${expr}); ${cases.join(" : ")} : $shown)`;
}

// All of them, made again only when they change.
export function editorBadges(
  texts: () => ReadonlyMap<string, string>,
  creditsPerUsd: number,
): () => ReadonlyMap<string, string> {
  let made: { readonly of: ReadonlyMap<string, string>; readonly badges: ReadonlyMap<string, string> } | null = null;
  return () => {
    const of = texts();
    if (made?.of !== of)
      made = { of, badges: new Map(Array.from(of, ([name, text]) => [name, editorBadge(text, creditsPerUsd)])) };
    return made.badges;
  };
}
