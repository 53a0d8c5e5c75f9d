import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { launchApp } from "./launch.ts";
import type { LaunchedApp } from "./launch.ts";

/** What the page can see of us: see preload/index.ts. */
interface Exposed {
  ask(name: string, input: unknown): Promise<unknown>;
  on(name: string, hear: (payload: unknown) => void): () => void;
  dropped(files: readonly File[]): Promise<unknown>;
}
declare global {
  var probe: unknown;
}

let launched: LaunchedApp;
test.beforeAll(async () => {
  launched = await launchApp();
});
test.afterAll(async () => {
  await launched.close();
});
test.beforeEach(async () => {
  await launched.page.evaluate(() => {
    globalThis.probe = undefined;
  });
});

test("the page runs in a sandbox, without Node", async () => {
  const { app, page } = launched;
  expect(await page.evaluate(() => ["require", "process", "module", "Buffer", "global", "electron"].filter((name) => name in globalThis))).toEqual([]);
  const preferences = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => {
      const contents = window.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
      const { sandbox, contextIsolation, nodeIntegration, webviewTag, webSecurity } = contents.getLastWebPreferences();
      return { sandbox, contextIsolation, nodeIntegration, webviewTag, webSecurity };
    }),
  );
  expect(preferences).toEqual([{ sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false, webSecurity: true }]);
});

test("the page sees three functions of ours and cannot change them", async () => {
  const seen = await launched.page.evaluate(() => {
    const { ledger } = globalThis as unknown as { ledger: Exposed };
    const before = ledger.ask;
    try {
      ledger.ask = () => Promise.resolve("mine");
    } catch {
      // frozen, as it should be
    }
    return { names: Object.keys(ledger).sort(), isKept: ledger.ask === before };
  });
  expect(seen).toEqual({ names: ["ask", "dropped", "on"], isKept: true });
});

test("the page comes by our own protocol", () => {
  expect(new URL(launched.page.url()).href).toMatch(/^app:\/\/ledger\/index\.html/);
});

test("an inline script does not run", async () => {
  const { page } = launched;
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "globalThis.probe = 'ran'";
    document.head.append(script);
    document.body.insertAdjacentHTML("beforeend", `<img src="x" onerror="globalThis.probe = 'ran'">`);
  });
  await page.waitForTimeout(200);
  expect(await page.evaluate(() => globalThis.probe)).toBeUndefined();
});

test("text is not run as code", async () => {
  // Inside a timer, since what Playwright evaluates itself passes by the page's rules.
  const outcome = await launched.page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        setTimeout(() => {
          try {
            resolve(`ran: ${String((0, eval)("6 * 7"))}`);
          } catch (error) {
            resolve((error as Error).name);
          }
        });
      }),
  );
  expect(outcome).toBe("EvalError");
});

test("the page leads nowhere else", async () => {
  const { page, app } = launched;
  const before = page.url();
  for (const address of ["https://example.com/", "file:///etc/passwd", "app://elsewhere/index.html", "data:text/html,gone", "app://ledger/other.html"]) {
    await page.evaluate((to) => {
      const link = document.createElement("a");
      link.href = to;
      document.body.append(link);
      link.click();
      link.remove();
    }, address);
    await page.waitForTimeout(100);
    expect(page.url(), address).toBe(before);
  }
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test("the page opens no window", async () => {
  expect(await launched.page.evaluate(() => window.open("app://ledger/index.html") === null)).toBe(true);
  expect(launched.app.windows()).toHaveLength(1);
});

test("a frame in the page stays empty", async () => {
  const { page } = launched;
  const isRefused = await page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        document.addEventListener("securitypolicyviolation", () => resolve(true), { once: true });
        const frame = document.createElement("iframe");
        frame.src = "app://ledger/index.html";
        document.body.append(frame);
        setTimeout(() => resolve(false), 2000);
      }),
  );
  expect(isRefused).toBe(true);
});

test("every permission is refused", async () => {
  const states = await launched.page.evaluate(async () => {
    const names = ["geolocation", "notifications", "camera", "microphone", "clipboard-read", "midi"];
    const asked = await Promise.all(names.map((name) => navigator.permissions.query({ name: name as PermissionName })));
    const camera = await navigator.mediaDevices.getUserMedia({ video: true }).then(
      () => "given",
      (error: Error) => error.name,
    );
    return { states: [...new Set(asked.map(({ state }) => state))], notification: await Notification.requestPermission(), camera };
  });
  expect(states.states).toEqual(["denied"]);
  expect(states.notification).toBe("denied");
  expect(states.camera).not.toBe("given");
});

test("no request leaves the app, neither by the page's rules nor around them", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.setHeader("access-control-allow-origin", "*").end("reached");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const fromPage = await launched.page.evaluate(
      (to) => fetch(`${to}/page`).then((answer) => answer.text()).catch((error: Error) => error.name),
      address,
    );
    const fromSession = await launched.app.evaluate(
      ({ session }, to) => session.defaultSession.fetch(`${to}/session`).then((answer) => answer.text()).catch((error: Error) => error.message),
      address,
    );
    expect(fromPage).toBe("TypeError");
    expect(fromSession).toContain("ERR_BLOCKED_BY_CLIENT");
    expect(asked).toEqual([]);
  } finally {
    server.close();
  }
});

test("the page reaches no file outside its own", async () => {
  const statuses = await launched.page.evaluate(() =>
    Promise.all(["/../../package.json", "/%2e%2e/main/main.js", "/..%2f..%2fpackage.json", "/..%5c..%5cpackage.json", "/"].map((path) => fetch(path).then(({ status }) => status))),
  );
  expect(statuses).toEqual([404, 404, 404, 404, 404]);
});

test("a question that the contract does not know, and a path instead of a token, are refused", async () => {
  const { page } = launched;
  const unknown = await page.evaluate(() =>
    (globalThis as unknown as { ledger: Exposed }).ledger.ask("files.delete", {}).then(
      () => "answered",
      () => "refused",
    ),
  );
  const path = await page.evaluate(() => (globalThis as unknown as { ledger: Exposed }).ledger.ask("import.preview", { files: ["/etc/passwd"], options: {} }));
  expect(unknown).toBe("refused");
  expect(path).toMatchObject({ ok: false, error: { code: "contract.invalid" } });
});

test("a file made in the page has no path to give", async () => {
  const tokens = await launched.page.evaluate(() => (globalThis as unknown as { ledger: Exposed }).ledger.dropped([new File(["x"], "/etc/passwd")]));
  expect(tokens).toEqual([]);
});

test("exact amounts cross to the page as they are", async () => {
  const { page, app } = launched;
  const heard = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const { ledger } = globalThis as unknown as { ledger: Exposed };
        const off = ledger.on("ledger.changed", (payload) => {
          off();
          const { revision } = payload as { revision: unknown };
          resolve(`${typeof revision} ${String(revision)}`);
        });
        globalThis.probe = "listening";
      }),
  );
  await page.waitForFunction(() => globalThis.probe === "listening");
  await app.evaluate(({ BrowserWindow }) => {
    const payload = { revision: 12345678901234567890123456789n };
    BrowserWindow.getAllWindows()[0]?.webContents.send("event", { name: "ledger.changed", payload });
  });
  expect(await heard).toBe("bigint 12345678901234567890123456789");
});

test("an engine that dies is started again, and the window hears of it", async () => {
  const { page, app } = launched;
  const heard = page.evaluate(
    () =>
      new Promise<unknown>((resolve) => {
        (globalThis as unknown as { ledger: Exposed }).ledger.on("engine.restarted", resolve);
        globalThis.probe = "listening";
      }),
  );
  await page.waitForFunction(() => globalThis.probe === "listening");
  const killed = await app.evaluate(({ app: electron }) => {
    const engine = electron.getAppMetrics().find(({ serviceName, name }) => [serviceName, name].includes("GPU Ledger engine"));
    return engine === undefined ? false : process.kill(engine.pid, "SIGKILL");
  });
  expect(killed).toBe(true);
  expect(await heard).toMatchObject({ reference: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(await page.evaluate(() => (globalThis as unknown as { ledger: Exposed }).ledger.ask("ledger.status", {}))).toHaveProperty("ok");
});
