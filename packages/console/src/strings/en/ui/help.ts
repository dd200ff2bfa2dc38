// The keys of the console.
export const help = {
  title: "Keyboard shortcuts",
  guides: "Read the guides",
  groups: [
    {
      title: "Everywhere",
      keys: [
        ["Ctrl K", "find a page, action, workflow, work, job, node class or any ID"],
        ["?", "show these shortcuts"],
        ["Tab Enter", "reach and use everything; no page needs a mouse"],
        ["Esc", "close what is open"],
      ],
    },
    {
      title: "Making",
      keys: [
        ["Enter", "create from the prompt on the first page; Shift Enter starts a new line"],
        ["Ctrl Enter", "run in the playground"],
      ],
    },
    {
      title: "Review of node versions",
      keys: [
        ["J K", "next, previous version"],
        ["A", "approve the version"],
        ["R", "reject the version, with a reason"],
      ],
    },
    {
      title: "Pictures in the gallery",
      keys: [
        ["← →", "previous, next"],
        ["+ -", "zoom"],
        ["C", "compare"],
        ["I", "show what made it"],
        ["S", "star"],
        ["D", "download"],
      ],
    },
  ],
} as const;
