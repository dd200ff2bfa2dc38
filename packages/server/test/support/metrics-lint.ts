// The rules of `promtool check metrics` that matter to us, for machines without promtool: every metric is described and
// typed once, only counters are called _total, and units are whole ones.
export function lintMetrics(text: string): string[] {
  const problems: string[] = [];
  const types = new Map<string, string>();
  const helped = new Set<string>();
  for (const line of text.split("\n")) {
    const [, word, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (word === "HELP") {
      if (helped.has(name)) problems.push(`${name} is described twice`);
      if (rest === "") problems.push(`${name} has no description`);
      helped.add(name);
    }
    if (word === "TYPE") {
      if (types.has(name)) problems.push(`${name} is typed twice`);
      types.set(name, rest);
    }
    const sample = /^([a-zA-Z_:][\w:]*)(\{.*\})? (\S+)$/.exec(line);
    if (line === "" || line.startsWith("#")) continue;
    if (sample === null) problems.push(`this is no sample: ${line}`);
    else if (!isKnown(sample[1] ?? "", types)) problems.push(`${sample[1]} has no type`);
  }
  for (const [name, type] of types) problems.push(...problemsOf(name, type, helped.has(name)));
  return problems;
}

function isKnown(name: string, types: ReadonlyMap<string, string>): boolean {
  const base = name.replace(/_(bucket|sum|count)$/, "");
  return types.has(name) || ["histogram", "summary"].includes(types.get(base) ?? "");
}

function problemsOf(name: string, type: string, isHelped: boolean): string[] {
  const is = (isWrong: boolean, words: string) => (isWrong ? [`${name} ${words}`] : []);
  return [
    ...is(!isHelped, "has no description"),
    ...is(type === "counter" && !name.endsWith("_total"), "is a counter and does not end in _total"),
    ...is(type !== "counter" && name.endsWith("_total"), "is no counter and ends in _total"),
    ...is(
      !["histogram", "summary"].includes(type) && /_(bucket|sum|count)$/.test(name),
      "ends as a part of a histogram",
    ),
    ...is(
      /_(ms|milliseconds|minutes|hours|days|kilobytes|kb|mb|megabytes|percent)(_total)?$/.test(name),
      "is in no base unit",
    ),
    ...is(name !== name.toLowerCase(), "is not in lower case"),
    ...is(new RegExp(`_${type}$`).test(name), "says its type in its name"),
  ];
}
