// Workflows as the editor saves them.
export const editorGraph = (type: string) => ({
  last_node_id: 2,
  nodes: [
    {
      id: 1,
      type,
      inputs: [],
      outputs: [{ name: "IMAGE", type: "IMAGE", links: [1] }],
      widgets_values: [64, 64, 1, 0],
    },
    { id: 2, type: "SaveImage", inputs: [{ name: "images", type: "IMAGE", link: 1 }], widgets_values: ["out"] },
  ],
  links: [[1, 1, 0, 2, 0, "IMAGE"]],
});

export const circularSubgraphs = {
  nodes: [{ id: 1, type: "s" }],
  links: [],
  definitions: { subgraphs: [{ id: "s", nodes: [{ id: 2, type: "s" }] }] },
};

const inside = "0a000000-0000-4000-8000-000000000001";

// Node 13 saves what node 3 inside the instance 12 makes.
export const subgraphOf = (color: number) => ({
  nodes: [
    { id: 12, type: inside, outputs: [{ type: "IMAGE", links: [5] }] },
    { id: 13, type: "SaveImage", inputs: [{ name: "images", type: "IMAGE", link: 5 }], widgets_values: ["x"] },
  ],
  links: [[5, 12, 0, 13, 0, "IMAGE"]],
  definitions: {
    subgraphs: [
      {
        id: inside,
        name: "Inside",
        inputs: [],
        outputs: [{ id: "o", name: "IMAGE", type: "IMAGE", linkIds: [1] }],
        nodes: [
          { id: 3, type: "EmptyImage", outputs: [{ type: "IMAGE", links: [1] }], widgets_values: [8, 8, 1, color] },
        ],
        links: [{ id: 1, origin_id: 3, origin_slot: 0, target_id: -20, target_slot: 0, type: "IMAGE" }],
      },
    ],
  },
});
