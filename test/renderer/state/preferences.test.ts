// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { languageOf, preferencesOf } from "../../../renderer/state/preferences.ts";

describe("the language", () => {
  it("is the person's, else the first of the system's that is spoken, else English", () => {
    expect(languageOf("zh-CN", ["en-US"])).toBe("zh-CN");
    expect(languageOf("system", ["fr-FR", "zh-Hans-CN", "en-US"])).toBe("zh-CN");
    expect(languageOf("system", ["de"])).toBe("en");
  });

  it("is left alone by a setting that is not understood", () => {
    expect(preferencesOf((key) => (key === "window.theme" ? "dark" : "klingon"))).toEqual({ theme: "dark" });
  });
});
