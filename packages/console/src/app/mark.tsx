import type { ReactNode } from "react";

// Inlined in the document rather than requested: it is part of the first paint.
export function Mark(): ReactNode {
  return (
    <svg viewBox="0 0 64 64" aria-hidden="true">
      <path d="M12 58V30a20 20 0 0 1 40 0v28z" fill="#fff" stroke="#2f5d50" strokeWidth="4" />
      <circle cx="32" cy="31" r="8" fill="#e9b44c" />
      <path d="M15 55V46q8-7 17-1t17-3v13z" fill="#2f5d50" />
    </svg>
  );
}
