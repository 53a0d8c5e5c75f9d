import { randomUUID } from "node:crypto";
import { app, BrowserWindow, session } from "electron";
import type { PrintToPDFOptions } from "electron";
import type { PdfPrinter } from "../cli/pdf.ts";
import { hashOfFigures } from "../engine/print/index.ts";
import { pagesOrigin, servePagesWith } from "./protocol.ts";
import { lock, locked, lockSession } from "./window.ts";

/** A page that has not drawn itself by then never will. */
const patience = 60_000;

/**
 * Prints a report in a hidden window: sandboxed and locked as the other one, with a session of its own that holds nothing but our
 * pages and this document, and without a preload, since it has nothing to ask.
 */
export function pdfPrinter(pages: string): PdfPrinter {
  return async (document, { language, paper }) => {
    await app.whenReady();
    const name = randomUUID();
    const own = session.fromPartition(`print-${name}`);
    lockSession(own);
    const address = `${pagesOrigin}/print/${name}.json`;
    servePagesWith(own.protocol, pages, address, asText({ document, language, paper, hash: hashOfFigures(document) }));
    // The last window to close ends an app that listens to nothing.
    const stay = (): void => undefined;
    app.on("window-all-closed", stay);
    const window = new BrowserWindow({ show: false, width: 1000, height: 1400, webPreferences: { ...locked(null), session: own, backgroundThrottling: false } });
    lock(window.webContents);
    try {
      await window.loadURL(`${pagesOrigin}/report.html#${name}`);
      const drawn = await within(patience, window.webContents.executeJavaScript("window.drawn") as Promise<{ readonly isOnePage: boolean }>);
      return new Uint8Array(await window.webContents.printToPDF(options(drawn.isOnePage, paper)));
    } finally {
      window.destroy();
      app.off("window-all-closed", stay);
    }
  };
}

/** A single page has its margins and its foot in its own layout; a flowing one gets a line with its numbers on every page. */
function options(isOnePage: boolean, paper: "A4" | "Letter"): PrintToPDFOptions {
  const common = { pageSize: paper, printBackground: true, preferCSSPageSize: false, generateTaggedPDF: true };
  if (isOnePage) return { ...common, margins: { top: 0, bottom: 0, left: 0, right: 0 } };
  return {
    ...common,
    margins: { top: 0.52, bottom: 0.6, left: 0.6, right: 0.6 },
    displayHeaderFooter: true,
    headerTemplate: "<span></span>",
    footerTemplate:
      '<div style="width:100%;padding:0 0.6in;font:7px sans-serif;color:#5c5f66;text-align:right">GPU Ledger&nbsp;&nbsp;<span class="pageNumber"></span> / <span class="totalPages"></span></div>',
  };
}

/** JSON in which a bigint is `{"$bigint": "123"}`, as the page reads it. */
function asText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? { $bigint: part.toString() } : part));
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let bell: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    bell = setTimeout(() => reject(new Error("the page to print did not draw itself")), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(bell);
  }
}
