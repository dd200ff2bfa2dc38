export const api = {
  status: (status: number) => `The server responded with status ${status}.`,
  noAnswer: "The server did not respond.",
  unreadableFile: "The file could not be read.",
  fileTooLarge: (megabytes: number) => `The file is larger than ${megabytes} MB.`,
  canceled: "Canceled.",
  workspaceChanged:
    "This browser has switched to another workspace. Nothing was sent. Reload the page to continue there.",
  notInAddress: (value: string) => `“${value}” cannot be part of an address.`,
  job: (id: string) => `Job ${id}`,
  labels: {
    longName: "A name can be up to 1,024 bytes long.",
    key: (key: string) => `“${key}” is not a valid label key. Use 1 to 40 letters, digits, and _ - or .`,
    longValue: (key: string) => `The value of ${key} is longer than 256 bytes.`,
    tooMany: "A job can have up to 16 labels.",
  },
} as const;
