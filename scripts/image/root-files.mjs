// The rest of a root file system without a distribution: the shared libraries that Node and the native modules are linked to, a
// user, name look-up, certificates. Libraries come from the build machine, with their licences.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, globSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export const user = { name: "atelier", id: 10001, home: "/var/lib/atelier" };

export function writeRootFiles(rootFolder, applicationFolder) {
  const libraries = copyLibraries(rootFolder, applicationFolder);
  const write = (path, text) => {
    mkdirSync(join(rootFolder, dirname(path)), { recursive: true });
    writeFileSync(join(rootFolder, path), text);
  };
  const { name, id, home } = user;
  write("etc/passwd", `root:x:0:0:root:/:/sbin/nologin\n${name}:x:${id}:${id}:${name}:${home}:/sbin/nologin\n`);
  write("etc/group", `root:x:0:\n${name}:x:${id}:\n`);
  write("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n");
  const certificates = "/etc/ssl/certs/ca-certificates.crt";
  if (existsSync(certificates)) copyTo(rootFolder, certificates, certificates);
  for (const folder of ["tmp", "proc", "dev", "sys", "var/lib/atelier", "etc/atelier", "run"])
    mkdirSync(join(rootFolder, folder), { recursive: true });
  return libraries;
}

// Under the names that the loader asks for; libraries inside the application need no copy.
function copyLibraries(rootFolder, applicationFolder) {
  const programs = [
    join(applicationFolder, "bin/node"),
    ...globSync("node_modules/**/*.node", { cwd: applicationFolder }).map((path) => join(applicationFolder, path)),
    ...globSync("node_modules/**/*.so{,.*}", { cwd: applicationFolder }).map((path) => join(applicationFolder, path)),
  ];
  const libraries = new Set();
  for (const program of programs.sort()) {
    const said = execFileSync("ldd", [program], { encoding: "utf8" });
    const missing = /^\s*(\S+) => not found/m.exec(said);
    if (missing) throw new Error(`${program} needs ${missing[1]}, which is not installed`);
    for (const [, path] of said.matchAll(/(?:=> |^\s+)(\/\S+) \(0x/gm))
      if (!path.startsWith(applicationFolder)) libraries.add(path);
  }
  for (const path of libraries) copyTo(rootFolder, realpathSync(path), path);
  for (const name of packagesOf([...libraries])) {
    const licence = `/usr/share/doc/${name}/copyright`;
    if (existsSync(licence)) copyTo(rootFolder, realpathSync(licence), licence);
  }
  return [...libraries].sort();
}

// The Debian packages that the libraries come from; none if the machine is not Debian.
function packagesOf(libraries) {
  const found = new Set();
  for (const path of libraries) {
    try {
      const said = execFileSync("dpkg", ["-S", `*/${basename(path)}`], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
      for (const [, name] of said.matchAll(
        /^([\w.+-]+)(?::\w+)?: \/(?:usr\/)?lib(?:64|\/x86_64-linux-gnu|\/aarch64-linux-gnu)\//gm,
      ))
        found.add(name);
    } catch {
      // Not Debian, or not from a package: its licence has to be added by hand.
    }
  }
  return [...found].sort();
}

function copyTo(rootFolder, from, path) {
  const target = join(rootFolder, path);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(from, target);
}
