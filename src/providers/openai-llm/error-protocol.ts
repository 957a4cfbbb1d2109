import { ProviderError } from '../../lib/errors.ts';
import type { FailureClass } from '../../ports/provider-failure.ts';

/** A vendor's error, as far as its body could be parsed. */
export interface VendorError {
  readonly message: string;
  readonly code: string;
  readonly type: string;
  readonly param: string;
}

const MAX_MESSAGE_CHARS = 200;
// Anything that looks like a key, however the vendor masks it.
const KEY_LIKE = /\b(?:sk|pk|gsk|xai|key|Bearer)[-_ ][\w*.…-]{6,}|\bAIza[\w*-]{8,}/gi;

/** A vendor's text in a displayable form: one short line without secrets or anything like them. */
export function presentable(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret) clean = clean.replaceAll(secret, '[redacted]');
  clean = clean
    .replace(KEY_LIKE, '[redacted]')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
    .replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim();
  return clean.length > MAX_MESSAGE_CHARS ? `${clean.slice(0, MAX_MESSAGE_CHARS - 1)}…` : clean;
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

/**
 * Reads the error of a parsed body: OpenAI's shape, Google's array of it, the flat ones of vLLM and Cartesia, and
 * FastAPI's `detail`.
 */
function readVendorError(body: unknown): VendorError {
  const first = record(Array.isArray(body) ? body[0] : body) ?? {};
  const error = record(first.error) ?? first;
  const detail = Array.isArray(first.detail) ? JSON.stringify(first.detail) : text(first.detail);
  return {
    message: text(error.message) || text(first.error) || detail || text(error.title),
    code: text(error.code) || text(error.error_code),
    type: text(error.type) || text(error.status),
    param: text(error.param),
  };
}

/** Parses the error of a raw body; a body that is not JSON (a proxy's HTML page) has nothing worth repeating. */
export function parseVendorError(body: string): VendorError {
  try {
    return readVendorError(JSON.parse(body));
  } catch {
    return { message: '', code: '', type: '', param: '' };
  }
}

function classify(status: number, error: VendorError): FailureClass {
  const quota = `${error.code} ${error.type}`.includes('insufficient_quota');
  if (status === 402 || quota) return 'quota';
  if (status === 401 || status === 403) return 'auth';
  if (status === 429) return 'rate';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 409 || status === 425 || status >= 500) return 'network';
  return status >= 400 ? 'invalid' : 'protocol';
}

/** `retry-after-ms`, else `retry-after` in seconds; a date is too far away to wait for in a call. */
function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

export interface HttpFailure {
  readonly provider: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly secrets: readonly string[];
}

/** The error for an HTTP response other than 200. */
export function httpError(failure: HttpFailure): ProviderError {
  const { provider, status } = failure;
  const error = parseVendorError(failure.body);
  const failureClass = classify(status, error);
  const retryAfter = retryAfterMs(failure.headers);
  // Vendors repeat (part of) a refused key in the message.
  const said = failureClass === 'auth' ? '' : presentable(error.message, failure.secrets);
  const what = failureClass === 'auth' ? 'refused the credentials' : 'answered with an error';
  return new ProviderError({
    class: failureClass,
    provider,
    code: error.code && /^[\w.-]{1,64}$/.test(error.code) ? error.code : `http_${status}`,
    message: `${provider} ${what} (${status})${said ? `: ${said}` : ''}`,
    ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter }),
  });
}

/** The error for a failure inside a stream that began successfully. */
export function streamError(
  provider: string,
  body: unknown,
  secrets: readonly string[],
): ProviderError {
  const error = readVendorError(body);
  const said = presentable(error.message, secrets);
  const status = /^[45]\d\d$/.test(error.code) ? Number(error.code) : 500;
  return new ProviderError({
    class: classify(status, error),
    provider,
    code: 'stream_error',
    message: `${provider} broke off its answer${said ? `: ${said}` : ''}`,
  });
}
