import { createHmac } from 'node:crypto';

const BASE64_PREFIX = 'whsec_';

function keyOf(secret: string): Buffer {
  return secret.startsWith(BASE64_PREFIX)
    ? Buffer.from(secret.slice(BASE64_PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8');
}

/** The secret as a header may carry it: its UTF-8 bytes; one with control characters can't be sent. */
function plainSecret(secret: string): Readonly<Record<string, string>> {
  const value = Buffer.from(secret, 'utf8').toString('latin1');
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value) ? { 'x-webhook-secret': value } : {};
}

/**
 * The Standard Webhooks headers of a request to a user's server, and the secret itself for receivers that
 * only compare. Without a secret the request is named and dated, and not signed.
 */
export function signWebhook(message: {
  readonly id: string;
  /** Unix time. */
  readonly timestampSeconds: number;
  /** Exactly as it is sent. */
  readonly body: string;
  readonly secret: string;
}): Readonly<Record<string, string>> {
  const { id, body, secret } = message;
  const timestamp = String(Math.floor(message.timestampSeconds));
  const named = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (secret === '') return named;
  const signature = createHmac('sha256', keyOf(secret))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return { ...named, 'webhook-signature': `v1,${signature}`, ...plainSecret(secret) };
}
