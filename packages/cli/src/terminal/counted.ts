// "1 file", "2 files": what is told to people is a sentence.
export const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
