// The system calls that a child may not make, as a program for the kernel's filter (seccomp). bubblewrap hands it over. It is a
// list of what is refused: our children decode with native code whose needs change with every version, and the namespaces hold
// already; the filter takes away the ways to new namespaces, to other processes and to the parts of the kernel with a bad record.

type Architecture = "x64" | "arm64";

// The numbers are part of the kernel's interface and never change. Both have the same ones from 424 on.
const numbers: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  acct: [163, 89],
  add_key: [248, 217],
  adjtimex: [159, 171],
  bpf: [321, 280],
  chroot: [161, 51],
  clock_adjtime: [305, 266],
  clock_settime: [227, 112],
  delete_module: [176, 106],
  fanotify_init: [300, 262],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  init_module: [175, 105],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  kcmp: [312, 272],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  perf_event_open: [298, 241],
  personality: [135, 92],
  pidfd_getfd: [438, 438],
  pivot_root: [155, 41],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  quotactl: [179, 60],
  reboot: [169, 142],
  request_key: [249, 218],
  setdomainname: [171, 162],
  sethostname: [170, 161],
  setns: [308, 268],
  settimeofday: [164, 170],
  swapoff: [168, 225],
  swapon: [167, 224],
  syslog: [103, 116],
  umount2: [166, 39],
  unshare: [272, 97],
  userfaultfd: [323, 282],
};
const columns: readonly Architecture[] = ["x64", "arm64"];
const socketNumbers = [41, 198] as const;
const cloneNumbers = [56, 220] as const;
// Its flags are in memory, where a filter cannot look; without it, the C library takes `clone`.
const clone3Number = 435;
const auditNames = [0xc000003e, 0xc00000b7] as const;

// CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET.
const newNamespaces = 0x7e020000;
const unixFamily = 1;
// Numbers from here on are the x32 variant of x64's calls, which we never use.
const x32Bit = 0x40000000;

// Offsets in what the kernel shows to the filter.
const numberAt = 0;
const architectureAt = 4;
const firstArgumentAt = 16;

const load = 0x20;
const isEqual = 0x15;
const isAtLeast = 0x35;
const hasAnyBit = 0x45;
const give = 0x06;

const allow = 0x7fff0000;
const kill = 0x80000000;
const fails = (errno: number) => 0x00050000 | errno;
const notPermitted = fails(1);
const noSuchCall = fails(38);
const noSuchFamily = fails(97);

type Step =
  | { readonly does: "load"; readonly at: number }
  | { readonly does: "if"; readonly code: number; readonly value: number; readonly to: string }
  | { readonly does: "give"; readonly value: number; readonly name: string };

export const deniedCalls: readonly string[] = Object.keys(numbers);

export function numberOf(call: string, architecture: Architecture): number | null {
  return numbers[call]?.[columns.indexOf(architecture)] ?? null;
}

// Null where we do not know the numbers.
export function seccompProgram(architecture: string): Uint8Array | null {
  const column = architecture === "x64" ? 0 : architecture === "arm64" ? 1 : null;
  if (column === null) return null;
  const jump = (code: number, value: number, to: string): Step => ({ does: "if", code, value, to });
  return assemble([
    { does: "load", at: architectureAt },
    jump(isEqual, auditNames[column], "ours"),
    { does: "give", value: kill, name: "other architecture" },
    { does: "load", at: numberAt },
    ...(column === 0 ? [jump(isAtLeast, x32Bit, "denied")] : []),
    ...Object.values(numbers).map((pair) => jump(isEqual, pair[column], "denied")),
    jump(isEqual, clone3Number, "missing"),
    jump(isEqual, socketNumbers[column], "socket"),
    jump(isEqual, cloneNumbers[column], "clone"),
    { does: "give", value: allow, name: "allowed" },
    { does: "load", at: firstArgumentAt },
    jump(isEqual, unixFamily, "also allowed"),
    { does: "give", value: noSuchFamily, name: "family" },
    { does: "load", at: firstArgumentAt },
    jump(hasAnyBit, newNamespaces, "denied"),
    { does: "give", value: allow, name: "also allowed" },
    { does: "give", value: notPermitted, name: "denied" },
    { does: "give", value: noSuchCall, name: "missing" },
  ]);
}

// Where a jump leads: to the answer of that name, or to the step behind one.
const behind: Readonly<Record<string, string>> = { ours: "other architecture", socket: "allowed", clone: "family" };

function assemble(steps: readonly Step[]): Uint8Array {
  const positionOf = (name: string) => steps.findIndex((step) => step.does === "give" && step.name === name);
  const bytes = Buffer.alloc(steps.length * 8);
  for (const [index, step] of steps.entries()) {
    const at = index * 8;
    bytes.writeUInt16LE(step.does === "load" ? load : step.does === "give" ? give : step.code, at);
    if (step.does === "if") {
      const before = behind[step.to];
      const to = before === undefined ? positionOf(step.to) : positionOf(before) + 1;
      // Jumps lead forward, and over at most 255 steps; a byte that does not fit throws.
      bytes.writeUInt8(to - index - 1, at + 2);
    }
    bytes.writeUInt32LE((step.does === "load" ? step.at : step.value) >>> 0, at + 4);
  }
  return bytes;
}
