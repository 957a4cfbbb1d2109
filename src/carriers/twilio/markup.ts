import type { CallRoutes, CarrierReply } from '../../ports/carrier.ts';

/** A TwiML document with these verbs. */
function document(...verbs: readonly string[]): CarrierReply {
  return {
    status: 200,
    contentType: 'text/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Response>${verbs.join('')}</Response>`,
  };
}

/**
 * Lets Twilio repeat the request of a document that got no answer, or that of a dying process. A fragment for Twilio
 * alone, which it may or may not sign: https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides
 */
export const REPEATED = '#rc=3&rp=all';

/** Streams the call to the service; whenever the stream ends, Twilio requests `fallbackUrl`. */
export function streamMarkup({ mediaUrl, fallbackUrl }: CallRoutes): CarrierReply {
  return document(
    `<Connect><Stream url="${escaped(mediaUrl)}"/></Connect>`,
    `<Redirect method="POST">${escaped(fallbackUrl + REPEATED)}</Redirect>`,
  );
}

export function rejectMarkup(reason: 'busy' | 'rejected'): CarrierReply {
  return document(`<Reject reason="${reason}"/>`);
}

export const hangupMarkup: CarrierReply = document('<Hangup/>');

export const emptyMarkup: CarrierReply = document();

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
