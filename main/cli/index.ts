/** Stands here until the terminal does: 2, wrong use, whatever is asked. */
export function runCli(_words: readonly string[]): Promise<number> {
  return Promise.resolve(2);
}
