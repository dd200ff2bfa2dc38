// What is left of a deleted workspace's name. No other name looks like it.
export const deletedName = "deleted workspace";
