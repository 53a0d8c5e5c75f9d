import { readFile } from "node:fs/promises";
import { extname, join, relative, isAbsolute, sep } from "node:path";
import type { Protocol } from "electron";

/** Where the window's pages live. It is no `file:`, so a page can reach nothing on the disk but what is served here. */
export const scheme = "app";
export const pagesOrigin = "app://ledger";

/** What a page may do: run and show what came with the app, and nothing else. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // ECharts sets the style attribute of its tooltips.
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};

/** Call before the app is ready. */
export function registerScheme(protocol: Protocol): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true } },
  ]);
}

/** Serves the built pages in `folder` under `app://ledger/`. */
export function servePages(protocol: Protocol, folder: string): void {
  protocol.handle(scheme, (request) => page(folder, request));
}

/** The same pages, and beside them one text at one address: what a page is to draw. */
export function servePagesWith(protocol: Protocol, folder: string, address: string, json: string): void {
  protocol.handle(scheme, (request) => (request.url === address && request.method === "GET" ? new Response(json, { headers: headers("application/json; charset=utf-8") }) : page(folder, request)));
}

/** The answer to one request: a file of the folder, or 404; nothing outside the folder, whatever the address says. */
export async function page(folder: string, request: { readonly method: string; readonly url: string }): Promise<Response> {
  const file = request.method === "GET" ? fileOf(folder, request.url) : null;
  const type = file === null ? undefined : contentTypes[extname(file).toLowerCase()];
  if (file === null || type === undefined) return refusal();
  try {
    return new Response(new Uint8Array(await readFile(file)), { headers: headers(type) });
  } catch {
    return refusal();
  }
}

function fileOf(folder: string, address: string): string | null {
  if (!isOurs(address)) return null;
  let path: string;
  try {
    path = decodeURIComponent(new URL(address).pathname);
  } catch {
    return null;
  }
  if (path.includes("\0") || path.includes("\\")) return null;
  const file = join(folder, path);
  const inside = relative(folder, file);
  return inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? null : file;
}

/** Whether an address is one of our own pages. Written without `URL.origin`, which is "null" for schemes unknown to Node. */
export function isOurs(address: string): boolean {
  try {
    const { protocol, host, username, password } = new URL(address);
    return protocol === `${scheme}:` && host === "ledger" && username === "" && password === "";
  } catch {
    return false;
  }
}

function refusal(): Response {
  return new Response("", { status: 404, headers: headers("text/plain; charset=utf-8") });
}

function headers(type: string): Record<string, string> {
  return {
    "content-type": type,
    "content-security-policy": contentSecurityPolicy,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
    "cache-control": "no-cache",
  };
}
