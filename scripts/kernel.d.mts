/** The kernel as WebAssembly, in base64. */
export function compileKernel(): Promise<string>;
