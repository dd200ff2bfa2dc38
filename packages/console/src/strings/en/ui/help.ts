// The keys of the console.
export const help = {
  title: "Keyboard keys",
  guides: "Read the guides",
  groups: [
    {
      title: "Everywhere",
      keys: [
        ["Ctrl K", "find a page, an action, a workflow, a work, a job, a node class or any ID"],
        ["?", "show these keys"],
        ["Tab Enter", "reach and use everything; no page needs a mouse"],
        ["Esc", "close what is open"],
      ],
    },
    {
      title: "Making",
      keys: [
        ["Enter", "create from the prompt on the first page; Shift Enter starts a line"],
        ["Ctrl Enter", "run in the playground"],
      ],
    },
    {
      title: "Pictures in the gallery",
      keys: [
        ["← →", "the one before, the next one"],
        ["+ -", "zoom"],
        ["C", "compare"],
        ["I", "what made it"],
        ["S", "star"],
        ["D", "download"],
      ],
    },
  ],
} as const;
