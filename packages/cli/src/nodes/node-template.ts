// What `atelier nodes init` writes: a manifest and one working node class to start from.

export const manifestText = (name: string, publisher: string, hasLicence: boolean): string => `[project]
name = "${name}"
description = ""
version = "0.1.0"
${hasLicence ? 'license = { file = "LICENSE" }' : '# license = { file = "LICENSE" }'}
dependencies = []

[project.urls]
Repository = ""

[tool.atelier]
PublisherId = "${publisher}"
DisplayName = "${name}"
Icon = ""
includes = []
`;

// All nodes of an application share one namespace for classes, so this name begins with the node's.
export function moduleText(name: string): string {
  const className = `${name
    .split(/[^a-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
    .replace(/^(?=[0-9])/, "Node")}Brighten`;
  return `# A picture in, a brighter one out. Pictures are batches of height x width x channels, from 0 to 1.
class ${className}:
    CATEGORY = "image/${name}"
    FUNCTION = "brighten"
    RETURN_TYPES = ("IMAGE",)

    @classmethod
    def INPUT_TYPES(cls):
        return {
            "required": {
                "image": ("IMAGE",),
                "factor": ("FLOAT", {"default": 1.2, "min": 0.0, "max": 4.0, "step": 0.05}),
            }
        }

    def brighten(self, image, factor):
        return ((image * factor).clamp(0, 1),)


NODE_CLASS_MAPPINGS = {"${className}": ${className}}
NODE_DISPLAY_NAME_MAPPINGS = {"${className}": "Brighten"}
__all__ = ["NODE_CLASS_MAPPINGS", "NODE_DISPLAY_NAME_MAPPINGS"]
`;
}
