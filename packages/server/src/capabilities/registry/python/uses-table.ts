// What counts as a use of a capability: names of libraries and built-ins, resolved through imports and aliases. A mention is
// enough, because a function that is only passed on is called elsewhere.
import type { CapabilityKind } from "./code-uses.ts";

const libraries: readonly (readonly [CapabilityKind, string])[] = [
  [
    "network",
    String.raw`socket\.(?:socket|create_connection|create_server|socketpair|fromfd|getaddrinfo|gethostbyname\w*)`,
  ],
  [
    "network",
    String.raw`(?:requests|httpx)\.(?:get|post|put|patch|delete|head|options|request|stream|[Ss]ession|Client|AsyncClient|api|sessions)\b`,
  ],
  [
    "network",
    String.raw`urllib\.(?:request\.(?:urlopen|urlretrieve|Request|build_opener|install_opener|OpenerDirector|\w*URLopener)|urlopen|urlretrieve)`,
  ],
  ["network", String.raw`urllib[23]\.(?:PoolManager|ProxyManager|HTTP\w*|request|urlopen|connection_from_url)`],
  [
    "network",
    String.raw`http\.(?:client\.HTTPS?Connection|server\.)|socketserver\.|xmlrpc\.|aiohttp\.(?:ClientSession|request|TCPConnector)`,
  ],
  ["network", String.raw`websockets?\.(?:connect|create_connection|WebSocket\w*|serve|client|server|sync|asyncio)`],
  [
    "network",
    String.raw`(?:ftplib|smtplib|imaplib|poplib|telnetlib|nntplib|paramiko|pysftp|asyncssh|grpc|pika|boto3|pymongo|psycopg2?|gdown|wget|pycurl|scapy)\.`,
  ],
  ["network", String.raw`asyncio\.(?:open_connection|start_server|open_unix_connection|start_unix_server)`],
  [
    "network",
    String.raw`huggingface_hub\.(?:hf_hub_download|snapshot_download|hf_hub_url|cached_download|HfApi|HfFileSystem|InferenceClient|upload_\w+|login)`,
  ],
  [
    "network",
    String.raw`torch\.hub\.|modelscope\.\w*\.?snapshot_download|(?:openai|anthropic)\.(?:Open|Async|Anthropic|Chat|Image)|git\.(?:Repo|Git)\b|gradio_client\.`,
  ],
  ["processes", String.raw`subprocess\.(?:run|call|check_call|check_output|Popen|getoutput|getstatusoutput)`],
  [
    "processes",
    String.raw`(?:os|posix|nt)\.(?:system|popen\d?|exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?|fork|forkpty|startfile)\b`,
  ],
  [
    "processes",
    String.raw`pty\.(?:spawn|fork)|asyncio\.create_subprocess_\w+|multiprocessing\.(?:Process|Pool|get_context|pool|context)|_posixsubprocess\.`,
  ],
  [
    "processes",
    String.raw`concurrent\.futures\.(?:process\.)?ProcessPoolExecutor|(?:pexpect|plumbum|popen2|commands)\.|psutil\.Popen|webbrowser\.open|pip\.(?:main|_internal)|git\.(?:Repo|Git)\b`,
  ],
  [
    "files",
    String.raw`os\.(?:remove|unlink|rename|renames|replace|rmdir|removedirs|mkdir|makedirs|chmod|chown|link|symlink|truncate|mkfifo|open)\b`,
  ],
  [
    "files",
    String.raw`shutil\.(?:copy\w*|move|rmtree|make_archive|unpack_archive|chown)|tempfile\.(?:mkstemp|mkdtemp|\w*Temporary\w+)`,
  ],
  [
    "files",
    String.raw`torch\.save|torchaudio\.save|torchvision\.utils\.save_image|numpy\.(?:save\w*|memmap)\b|cv2\.(?:imwrite|VideoWriter)\b|imageio\.(?:v[23]\.)?(?:imwrite|mimsave|mimwrite|get_writer)`,
  ],
  [
    "files",
    String.raw`soundfile\.write|safetensors\.(?:\w+\.)?save_file|joblib\.dump|sqlite3\.connect|winreg\.(?:SetValue|CreateKey)`,
  ],
  [
    "code",
    String.raw`(?:eval|exec|compile)$|marshal\.loads?|(?:pickle|_pickle|cPickle|dill|cloudpickle)\.(?:loads?|Unpickler)|shelve\.open|joblib\.load`,
  ],
  [
    "code",
    String.raw`types\.(?:FunctionType|CodeType)|code\.(?:interact|Interactive\w+)|codeop\.|runpy\.|yaml\.(?:unsafe_load|full_load)`,
  ],
  [
    "native",
    String.raw`ctypes\.(?:CDLL|cdll|PyDLL|pydll|windll|WinDLL|oledll|OleDLL|LibraryLoader)|_ctypes\.dlopen|cffi\.FFI|pyximport\.`,
  ],
  [
    "native",
    String.raw`torch\.utils\.cpp_extension\.(?:load|load_inline)|torch\.(?:ops|classes)\.load_library|numpy\.ctypeslib\.load_library|cupy\.Raw\w+|pycuda\.|importlib\.machinery\.ExtensionFileLoader`,
  ],
  ["environment", String.raw`(?:os|posix)\.(?:environb?|getenvb?)\b|dotenv\.|getpass\.(?:getuser|getpass)|keyring\.`],
];

const patterns = libraries.map(([kind, source]) => [kind, new RegExp(`^(?:${source})`)] as const);
// Most paths are of these few, and are no use of anything.
const anyPattern = new RegExp(`^(?:${libraries.map(([, source]) => source).join("|")})`);

// The first names of all of them, so that most names are dismissed at once.
export const topNames: ReadonlySet<string> = new Set(
  `socket requests httpx urllib urllib2 urllib3 http socketserver xmlrpc aiohttp websocket websockets ftplib smtplib imaplib
  poplib telnetlib nntplib paramiko pysftp asyncssh grpc pika boto3 pymongo psycopg psycopg2 gdown wget pycurl scapy asyncio
  huggingface_hub torch modelscope openai anthropic git gradio_client subprocess os posix nt pty multiprocessing
  _posixsubprocess concurrent pexpect plumbum popen2 commands psutil webbrowser pip shutil tempfile torchaudio torchvision
  numpy cv2 imageio soundfile safetensors joblib sqlite3 winreg eval exec compile marshal pickle _pickle cPickle dill
  cloudpickle shelve types code codeop runpy yaml ctypes _ctypes cffi pyximport cupy pycuda importlib dotenv getpass keyring`.split(
    /\s+/,
  ),
);

export const isTopName = (name: string) => topNames.has(name);

const none: readonly CapabilityKind[] = [];

export function kindsOf(path: string): readonly CapabilityKind[] {
  const top = path.slice(0, path.search(/[.(]|$/));
  if (!topNames.has(top) || !anyPattern.test(path)) return none;
  return [...new Set(patterns.filter(([, pattern]) => pattern.test(path)).map(([kind]) => kind))];
}

// Methods that write files, on objects that are not known here.
export const writingMethods = new Set(
  "write_text write_bytes unlink extractall touch mkdir symlink_to hardlink_to save tofile to_csv to_parquet".split(
    " ",
  ),
);

// Taking one of their members by a name that is computed hides what is taken.
export const sensitiveModules = new Set(
  "os posix nt subprocess builtins __builtins__ socket shutil ctypes sys pty".split(" "),
);

// Compiled code in an archive.
export const nativeFile = /\.(?:so(?:\.\d+)*|pyd|dll|dylib|exe|node)$/i;
