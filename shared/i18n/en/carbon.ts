export const carbon = {
} as const;
