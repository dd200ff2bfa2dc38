// How much memory a child really holds. Its own count covers pictures only; we see decoders and garbage from outside, where a
// busy child cannot prevent it.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";

const sampleMs = 100;

// `null` if unknown, because the process is gone or the system offers no way to ask.
export async function residentMegabytes(pid: number): Promise<number | null> {
  if (process.platform === "linux") {
    const status = await readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  }
  if (process.platform === "win32") return null;
  return new Promise((resolve) => {
    execFile("ps", ["-o", "rss=", "-p", String(pid)], { env: { PATH: "/usr/bin:/bin" } }, (error, stdout) => {
      const kilobytes = Number.parseInt(stdout, 10);
      resolve(error || Number.isNaN(kilobytes) ? null : kilobytes / 1024);
    });
  });
}

// Calls `exceeded` once if the process is above the limit; returns a function that stops watching.
export function watchMemory(pid: number, megabytesMax: number, exceeded: () => void): () => void {
  let isAsking = false;
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    clearInterval(timer);
  };
  const timer = setInterval(async () => {
    if (isAsking) return;
    isAsking = true;
    const megabytes = await residentMegabytes(pid);
    isAsking = false;
    if (isStopped || megabytes === null || megabytes <= megabytesMax) return;
    stop();
    exceeded();
  }, sampleMs);
  return stop;
}
