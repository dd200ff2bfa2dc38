export const addOperator = (personId: string): string => `atelier operators add ${personId}`;
