export const connect = {
} as const;
