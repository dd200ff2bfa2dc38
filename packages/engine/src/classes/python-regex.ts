// Patterns are written in the application's dialect of regular expressions. What differs from ours is translated; what
// cannot be is refused. An endless pattern is nobody's business here: the process that runs it is killed.
import { NodeError } from "../execution/node-error.ts";

export interface RegexOptions {
  readonly isCaseInsensitive: boolean;
  readonly isMultiline: boolean;
  readonly isDotAll: boolean;
}

// `null`: not a pattern.
export function compileRegex(pattern: string, options: RegexOptions): RegExp | null {
  let flags = `gu${options.isCaseInsensitive ? "i" : ""}${options.isMultiline ? "m" : ""}${options.isDotAll ? "s" : ""}`;
  let body = pattern;
  const inline = /^\(\?([imsux]+)\)/.exec(body);
  if (inline) {
    for (const flag of inline[1] ?? "") if ("ims".includes(flag) && !flags.includes(flag)) flags += flag;
    body = body.slice(inline[0].length);
  }
  const translated = translate(body);
  try {
    return new RegExp(translated, flags);
  } catch {
    // The stricter mode refuses escapes of ordinary characters, which the application allows.
    try {
      return new RegExp(translated, flags.replace("u", ""));
    } catch {
      return null;
    }
  }
}

function translate(pattern: string): string {
  return pattern.replace(/\\([\s\S])|\(\?P<|\(\?P=(\w+)\)/g, (whole: string, escaped?: string, name?: string) => {
    if (escaped === "A") return "(?<![\\s\\S])";
    if (escaped === "Z") return "(?![\\s\\S])";
    if (escaped !== undefined) return whole;
    return name === undefined ? "(?<" : `\\k<${name}>`;
  });
}

// `\1`, `\g<1>` and `\g<name>` stand for groups.
export function fillTemplate(template: string, match: RegExpExecArray): string {
  return template.replace(
    /\\(?:g<(\w+)>|(\d{1,2})|([nrt\\]))/g,
    (_whole, named?: string, index?: string, plain?: string) => {
      if (plain !== undefined) return { n: "\n", r: "\r", t: "\t", "\\": "\\" }[plain] ?? "";
      const key = named ?? index ?? "";
      const isNumber = /^\d+$/.test(key);
      const isKnown = isNumber
        ? Number(key) < match.length
        : match.groups !== undefined && Object.hasOwn(match.groups, key);
      if (!isKnown) throw new NodeError(`replace: the pattern has no group ${key}.`);
      return (isNumber ? match[Number(key)] : match.groups?.[key]) ?? "";
    },
  );
}
