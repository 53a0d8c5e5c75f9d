import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The names of the AWS profiles of this computer, as the AWS tools find them: names alone, no key is read. */
export function awsProfiles(environment: Readonly<Record<string, string | undefined>> = process.env): string[] {
  const folder = join(environment["HOME"] ?? environment["USERPROFILE"] ?? homedir(), ".aws");
  const named = (file: string, heading: RegExp): string[] => [...textOf(file).matchAll(heading)].map((match) => match[1]?.trim() ?? "");
  const names = [
    ...named(environment["AWS_CONFIG_FILE"] ?? join(folder, "config"), /^[ \t]*\[[ \t]*(?:profile[ \t]+)?((?!sso-session|services)[^\]]+)\]/gm),
    ...named(environment["AWS_SHARED_CREDENTIALS_FILE"] ?? join(folder, "credentials"), /^[ \t]*\[([^\]]+)\]/gm),
  ];
  return [...new Set(names)].filter((name) => name !== "").sort();
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
