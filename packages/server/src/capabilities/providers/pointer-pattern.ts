// JSON pointers as definitions write them.
export const pointerPattern = "^(/[^/]*)*$";
