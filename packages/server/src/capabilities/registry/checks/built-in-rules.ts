// The rules every registry starts with. If you change what they find, change the version too: every verdict records the
// version, and the same bytes checked under the same version must get the same verdict.

import type { Rule, RuleSet } from "./rule-set.ts";

const installWords = String.raw`\b(?:pip3?|uv|conda|mamba|easy_install|npm|npx|yarn|pnpm|apt|apt-get|brew)["',\s]+(?:-\w+["',\s]+)*(?:install|add|i)\b|\bgit["',\s]+clone\b|\b(?:curl|wget)\b[^\n]*\|\s*(?:ba|z)?sh\b`;
const pythonNetwork = String.raw`(?<![\w.])(?:(?:requests|httpx)\.(?:get|post|put|patch|delete|head|request|stream)|urllib\.request\.(?:urlopen|urlretrieve)|urlopen|urlretrieve|socket\.(?:socket|create_connection)|http\.client\.HTTPS?Connection|wget\.download|hf_hub_download|snapshot_download|(?:torch\.)?hub\.(?:load|load_state_dict_from_url|download_url_to_file))\s*\(`;

const python: readonly Rule[] = [
  {
    code: "python_eval",
    message: "Runs text as code (eval or exec).",
    languages: ["python"],
    in: "code",
    pattern: String.raw`(?<![\w.])(?<!\bdef\s)(?:builtins\s*\.\s*|__builtins__\s*\.\s*)?(?:eval|exec)\s*\(`,
  },
  {
    code: "python_eval_hidden",
    message: "Calls eval, exec or a shell under another name.",
    languages: ["python"],
    in: "code",
    pattern: String.raw`=\s*(?:builtins\.|__builtins__\.)?(?:eval|exec)[ \t]*(?:$|;)|(?<![\w.])__import__\s*\([^()]*\)\s*\.|(?<![\w.])getattr\s*\(\s*(?:__builtins__|builtins)\b|__builtins__\s*(?:\[|\.\s*__dict__)`,
  },
  {
    code: "python_compile",
    message: "Compiles text into code.",
    languages: ["python"],
    in: "code",
    pattern: String.raw`(?<![\w.])compile\s*\(`,
    arguments: String.raw`["'](?:exec|eval|single)["']\s*(?:,|$)`,
  },
  {
    code: "python_subprocess_install",
    message: "Installs packages or downloads programs. Declare them as dependencies instead.",
    languages: ["python"],
    in: "code",
    pattern: String.raw`(?<![\w.])(?:subprocess\s*\.\s*(?:run|call|check_call|check_output|Popen|getoutput|getstatusoutput)|os\s*\.\s*(?:system|popen|exec[lv]p?e?|spawn[lv]p?e?)|(?:asyncio\s*\.\s*)?create_subprocess_(?:exec|shell)|check_call|check_output|Popen)\s*\(`,
    arguments: installWords,
  },
  {
    code: "python_pip_inside",
    message: "Runs the package installer from inside the program.",
    languages: ["python"],
    in: "code",
    pattern: String.raw`(?<![\w.])pip\s*\.\s*(?:main|_internal)\b|(?<![\w.])from\s+pip\s*\._internal\b|(?<![\w.])pip_main\s*\(`,
  },
  {
    code: "python_shell_command",
    message: "Passes a command to the system shell.",
    languages: ["python"],
    in: "code",
    pattern: String.raw`(?<![\w.])os\s*\.\s*(?:system|popen)\s*\(`,
  },
  {
    code: "python_shell_subprocess",
    message: "Starts a process through the system shell.",
    languages: ["python"],
    in: "code",
    pattern: String.raw`(?<![\w.])subprocess\s*\.\s*(?:run|call|check_call|check_output|Popen)\s*\(`,
    arguments: String.raw`\bshell\s*=\s*True\b`,
  },
  {
    code: "python_marshalled_code",
    message: "Loads compiled code from data.",
    languages: ["python"],
    in: "code",
    pattern: String.raw`(?<![\w.])marshal\s*\.\s*loads?\s*\(|(?<![\w.])types\s*\.\s*CodeType\s*\(`,
  },
  {
    code: "python_encoded_program",
    message: "Contains a long encoded string that the same file decodes.",
    languages: ["python"],
    in: "strings",
    pattern: String.raw`^(?:[A-Za-z0-9+/=\s]{2000,}|(?:\\x[0-9a-fA-F]{2}){500,})$`,
    also_in_file: String.raw`\b(?:b(?:64|32|85)decode|a85decode|unhexlify|fromhex|decompress)\s*\(`,
  },
  {
    code: "python_network_at_import",
    message: "Uses the network while it is being imported.",
    languages: ["python"],
    in: "code",
    pattern: pythonNetwork,
    at_import: true,
  },
];

const javascript: readonly Rule[] = [
  {
    code: "javascript_eval",
    message: "Runs text as code (eval or Function).",
    languages: ["javascript"],
    in: "code",
    pattern: String.raw`(?<![\w$.])(?:(?:window|globalThis|self|global)\s*\.\s*)?eval\s*\(|\(\s*0\s*,\s*(?:window\.|globalThis\.)?eval\s*\)|(?<![\w$.])(?:new\s+)?Function\s*\(`,
  },
  {
    code: "javascript_timer_text",
    message: "Runs text as code through a timer.",
    languages: ["javascript"],
    in: "code",
    pattern: String.raw`(?<![\w$.])(?:window\s*\.\s*)?set(?:Timeout|Interval)\s*\(`,
    arguments: "^\\s*[\"'`]",
  },
  {
    code: "javascript_subprocess_install",
    message: "Installs packages or downloads programs. Declare them as dependencies instead.",
    languages: ["javascript"],
    in: "code",
    pattern: String.raw`(?<![\w$])(?:exec|execSync|execFile|execFileSync|spawn|spawnSync)\s*\(`,
    arguments: installWords,
  },
  {
    code: "javascript_obfuscated",
    message: "The source is obfuscated, so nobody can review it.",
    languages: ["javascript"],
    in: "code",
    pattern: String.raw`\b_0x[0-9a-f]{4,}\b`,
    count_min: 10,
  },
  {
    code: "javascript_characters",
    message: "Builds code from character codes.",
    languages: ["javascript"],
    in: "code",
    pattern: String.raw`(?<![\w$])fromCharCode\s*\(`,
    arguments: String.raw`^\s*(?:(?:0x[0-9a-fA-F]+|\d+)\s*,\s*){30,}`,
  },
  {
    code: "javascript_network_at_import",
    message: "Contacts another server while it is being loaded.",
    languages: ["javascript"],
    in: "code",
    pattern: String.raw`(?<![\w$.])(?:(?:window\s*\.\s*)?fetch|axios(?:\s*\.\s*\w+)?|new\s+(?:WebSocket|EventSource)|importScripts)\s*\(`,
    arguments: "^\\s*[\"'`](?:https?|wss?):?//",
    at_import: true,
  },
];

const files: readonly Rule[] = [
  {
    code: "compiled_code",
    message: "These checks cannot read compiled code.",
    in: "path",
    pattern: String.raw`\.(?:py[cod]|so|dylib|dll|exe|com|scr|msi)$`,
  },
  {
    code: "archive_inside",
    message: "Archives inside the archive are not checked.",
    in: "path",
    pattern: String.raw`\.(?:zip|tar|tgz|tar\.gz|tar\.bz2|tar\.xz|7z|rar|whl|egg)$`,
  },
  {
    code: "version_control_folder",
    message: "A version control folder: its settings can contain credentials and commands that get run.",
    in: "path",
    pattern: String.raw`(?:^|/)\.(?:git|hg|svn|bzr)(?:/|$)`,
    in_tests: true,
  },
  {
    code: "python_path_file",
    message: "Python runs lines of .pth files at startup, and .pth weights can contain objects that run when loaded.",
    in: "path",
    pattern: String.raw`\.pth$`,
    in_tests: true,
  },
];

export const builtInRules: RuleSet = {
  version: "atelier-2",
  rules: [...python, ...javascript, ...files],
};
