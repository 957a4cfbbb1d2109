import type { OutboundFetch, OutboundResponse } from '../lib/guarded-fetch.ts';
import { OutboundError, type OutboundErrorCode } from '../lib/outbound-error.ts';
import { signWebhook } from '../lib/sign-webhook.ts';
import type { Clock } from '../ports/clock.ts';
import type { AttemptOutcome } from '../store/due-deliveries.ts';
import type { WebhookRequest } from './request-of.ts';

const SNIPPET_BYTES = 1024;
/** The body decides nothing: one that has not ended by then is left. */
const BODY_MS = 1000;
const GONE = 410;
/** Errors that no later attempt can fix. */
const FINAL: ReadonlySet<OutboundErrorCode> = new Set(['bad_url', 'private_target']);

/** The result of an attempt: delivered, to be retried, or never to be sent again. */
export interface DeliveryOutcome {
  readonly verdict: 'delivered' | 'failed' | 'refused';
  readonly outcome: AttemptOutcome;
  /** How long the receiver asked us to wait. */
  readonly retryAfterMs?: number;
}

interface DeliveryDeps {
  readonly fetch: OutboundFetch;
  readonly clock: Clock;
}

/** Sends one message once; the status is the answer, however long its body takes. Never throws: errors are part of the outcome. */
export async function attemptDelivery(
  { fetch, clock }: DeliveryDeps,
  request: WebhookRequest,
  params: {
    readonly id: string;
    readonly signal: AbortSignal;
    /** Headers that name the call's trace. */
    readonly trace?: Readonly<Record<string, string>> | undefined;
  },
): Promise<DeliveryOutcome> {
  const startedMs = clock.now();
  const deadline = new AbortController();
  const timer = clock.setTimeout(() => deadline.abort(), request.timeoutMs);
  const outcome = (part: Omit<AttemptOutcome, 'at' | 'latencyMs'>): AttemptOutcome => ({
    at: new Date(startedMs),
    latencyMs: clock.now() - startedMs,
    ...part,
  });
  try {
    const response = await fetch(request.url, {
      method: 'POST',
      headers: headersOf(request, params, startedMs),
      body: request.body,
      signal: AbortSignal.any([deadline.signal, params.signal]),
    });
    const { status: httpStatus, headers } = response;
    const answered = {
      ...outcome({ httpStatus }),
      ...snippet(await startOfBody(response, clock), request),
    };
    if (httpStatus >= 200 && httpStatus < 300) return { verdict: 'delivered', outcome: answered };
    if (httpStatus === GONE) return { verdict: 'refused', outcome: answered };
    return { verdict: 'failed', outcome: answered, ...retryAfter(headers['retry-after']) };
  } catch (error) {
    if (deadline.signal.aborted) {
      const text = `no answer within ${request.timeoutMs / 1000} s`;
      return { verdict: 'failed', outcome: outcome({ error: text }) };
    }
    const final = error instanceof OutboundError && FINAL.has(error.code);
    const text = error instanceof Error ? error.message : 'the request failed';
    return { verdict: final ? 'refused' : 'failed', outcome: outcome({ error: text }) };
  } finally {
    clock.clearTimeout(timer);
  }
}

/** The first bytes of a body, as far as they came in time. */
async function startOfBody(response: OutboundResponse, clock: Clock): Promise<string> {
  const timer = clock.setTimeout(() => response.cancel(), BODY_MS);
  const chunks: Uint8Array[] = [];
  let received = 0;
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk);
      received += chunk.length;
      if (received >= SNIPPET_BYTES) break;
    }
  } catch {
    // What came of it is kept.
  } finally {
    clock.clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString('utf8', 0, SNIPPET_BYTES);
}

/** The user's headers, which cannot replace the headers that sign and frame the message. */
function headersOf(
  request: WebhookRequest,
  { id, trace }: Pick<Parameters<typeof attemptDelivery>[2], 'id' | 'trace'>,
  nowMs: number,
): Record<string, string> {
  const { body, secret } = request;
  const ours: Readonly<Record<string, string>> = {
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhooks/1',
    ...trace,
    ...signWebhook({ id, timestampSeconds: nowMs / 1000, body, secret }),
  };
  const theirs = Object.entries(request.headers).filter(
    ([name]) => !(name.toLowerCase() in ours) && !FRAMING.has(name.toLowerCase()),
  );
  return { ...Object.fromEntries(theirs), ...ours };
}

const FRAMING: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'expect',
  'keep-alive',
  'upgrade',
]);

const MAX_RETRY_AFTER_MS = 3600_000;

function retryAfter(value: string | undefined): { readonly retryAfterMs?: number } {
  const seconds = Number(value);
  if (value === undefined || !Number.isFinite(seconds) || seconds < 0) return {};
  return { retryAfterMs: Math.min(MAX_RETRY_AFTER_MS, seconds * 1000) };
}

/** The start of a response, with any echoed secrets masked. */
function snippet(start: string, { secret, headers }: WebhookRequest): { response?: string } {
  const secrets = [secret, ...Object.values(headers)].filter((value) => value.length >= 4);
  const shown = secrets.reduce((text, value) => text.replaceAll(value, '•••'), start);
  return shown === '' ? {} : { response: shown };
}
