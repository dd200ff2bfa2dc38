// Where a job is in the queue.
export function queueWords(position: number | null): string {
  if (position === null) return "Waits to begin";
  if (position === 0) return "Next in the queue";
  // The server counts no further than this.
  if (position >= positionMax) return `${positionMax} or more ahead in the queue`;
  return `${position.toLocaleString()} ahead in the queue`;
}

const positionMax = 100;
