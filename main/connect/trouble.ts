import { ledgerError } from "../../shared/contract/errors.ts";
import type { ConnectCall } from "../../shared/contract/connect.ts";
import type { Reply } from "./messages.ts";

/** What the SDK throws, by the name that AWS or the SDK gives it, as the trouble that the person sees. */
export function troubleOf(fault: unknown, { profile, call, isKnownProfile }: { readonly profile: string | null; readonly call: ConnectCall; readonly isKnownProfile: boolean }): Reply {
  const { name, message, code, status } = factsOf(fault);
  const login = profile ?? "default";

  // Before anything was sent: there is no login to send it with.
  if (/CredentialsProviderError|TokenProviderError|ProfileNotFound|ConfigError/i.test(name)) {
    if (/expired|refresh|sso login|invalid_grant/i.test(message)) return { trouble: ledgerError("connect.login-expired", { profile: login }), kind: "final", isSent: false };
    if (profile !== null && !isKnownProfile) return { trouble: ledgerError("connect.profile-unknown", { profile }), kind: "final", isSent: false };
    return { trouble: ledgerError("connect.no-login", { profile: login }), kind: "final", isSent: false };
  }
  if (/^(UnauthorizedException|ExpiredToken|ExpiredTokenException|TokenRefreshRequired|InvalidGrantException)$/.test(name)) return { trouble: ledgerError("connect.login-expired", { profile: login }), kind: "final", isSent: true };
  if (/^(UnrecognizedClientException|InvalidClientTokenId|InvalidSignatureException|SignatureDoesNotMatch|MissingAuthenticationToken\w*|IncompleteSignature\w*)$/.test(name)) {
    const isClock = /expired|not yet current|skew/i.test(message);
    return { trouble: isClock ? ledgerError("connect.clock-wrong", {}) : ledgerError("connect.keys-invalid", { profile: login }), kind: "final", isSent: true };
  }
  if (/^(RequestExpired|RequestTimeTooSkewed)$/.test(name)) return { trouble: ledgerError("connect.clock-wrong", {}), kind: "final", isSent: true };

  if (/AccessDenied|OptInRequired|Unauthorized/i.test(name)) {
    if (name === "OptInRequired" || /not enabled for cost explorer|cost explorer (has not|is not|hasn't) (been )?enabled|not yet been ingested/i.test(message)) return { trouble: ledgerError("connect.not-enabled", {}), kind: "final", isSent: true };
    return { trouble: ledgerError("connect.access-denied", { profile: login, action: `ce:${call}` }), kind: "call", isSent: true };
  }
  if (name === "DataUnavailableException") return { trouble: ledgerError("connect.no-data", { call }), kind: "nothing-there", isSent: true };
  if (/^(InvalidNextTokenException|RequestChangedException)$/.test(name)) return { trouble: ledgerError("connect.refused", { call, reason: name }), kind: "token", isSent: true };
  if (/Throttl|TooManyRequests|LimitExceeded|SlowDown|RequestLimitExceeded/i.test(name) || status === 429) return { trouble: ledgerError("connect.throttled", { call }), kind: "passing", isSent: true };
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|CERT|SELF_SIGNED|UNABLE_TO/.test(`${code} ${message}`) || /TimeoutError|NetworkingError/i.test(name)) return { trouble: ledgerError("connect.unreachable", { call }), kind: "passing", isSent: code === "ECONNRESET" || /TimeoutError/i.test(name) };
  if (status !== null && status >= 500) return { trouble: ledgerError("connect.refused", { call, reason: name === "" ? String(status) : name }), kind: "passing", isSent: true };
  return { trouble: ledgerError("connect.refused", { call, reason: name === "" ? "?" : name }), kind: "final", isSent: status !== null };
}

function factsOf(fault: unknown): { readonly name: string; readonly message: string; readonly code: string; readonly status: number | null } {
  if (typeof fault !== "object" || fault === null) return { name: "", message: String(fault), code: "", status: null };
  const { name, message, code, $metadata } = fault as { readonly name?: unknown; readonly message?: unknown; readonly code?: unknown; readonly $metadata?: { readonly httpStatusCode?: unknown } };
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  const status = $metadata?.httpStatusCode;
  return { name: text(name), message: text(message), code: text(code), status: typeof status === "number" ? status : null };
}
