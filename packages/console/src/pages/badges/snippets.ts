// The badge that the previewer starts with, a state of its node, and the cases it passes.
export const exampleText = `{
  "engine": "jsonata",
  "depends_on": {
    "widgets": [
      { "name": "seconds", "type": "INT" },
      { "name": "quality", "type": "COMBO" }
    ],
    "inputs": ["image"],
    "input_groups": []
  },
  "expr": "( $each := widgets.quality = 'high' ? 0.08 : 0.05; $more := inputs.image.connected ? 0.01 : 0; $type(widgets.seconds) = 'number' ? {'type': 'usd', 'usd': $each * widgets.seconds + $more} : {'type': 'text', 'text': 'by the second'} )"
}
`;

export const exampleState = { widgets: { seconds: "5", quality: "High" }, inputs: { image: true }, groups: {} };

export const exampleCases = [
  {
    id: "a",
    state: { widgets: { seconds: "5", quality: "standard" }, inputs: {}, groups: {} },
    expected: "52.8 credits/Run",
  },
  {
    id: "b",
    state: { widgets: { seconds: "5", quality: "high" }, inputs: { image: true }, groups: {} },
    expected: "86.5 credits/Run",
  },
  { id: "c", state: { widgets: {}, inputs: {}, groups: {} }, expected: "by the second" },
];

// Asks for the map, and again in the way that answers 304 while nothing has changed. Each content coding has an ETag of its own, so
// curl keeps the one it got; the browser's would not match.
export const mapCurl = (base: string, query: URLSearchParams): string => {
  const url = `${base}/nodes/pricing/badges?${query}`;
  return `curl -i --etag-save badges.etag '${url}'\ncurl -i --etag-compare badges.etag '${url}'`;
};
