// What a new definition begins with: complete, so that the findings name only what its author changes.
export const skeleton = `{
  "provider": "example",
  "title": "Example Pictures",
  "base_url": "https://api.pictures.example",
  "credential": { "kind": "bearer", "setting": "ATELIER_PROVIDER_EXAMPLE_KEY" },
  "models": [
    {
      "model": "sketch-2",
      "title": "Sketch 2",
      "released": false,
      "submit": { "path": "/v2/sketches", "encoding": "json" },
      "result": ["/images/0/url"],
      "price": { "usd": "0.02" },
      "charges_on_policy_rejection": "unknown",
      "input_schema": {
        "type": "object",
        "required": ["prompt"],
        "properties": { "prompt": { "type": "string", "minLength": 1 } }
      },
      "example": { "prompt": "a lighthouse at dusk" },
      "recovery": "neither",
      "longest_run_seconds": 120
    }
  ]
}
`;

// `of`: a provider's name, or a file.
export const liveCall = (of: string): string => `atelier models check ${of} --live`;
