import type { CallRoutes, CarrierReply } from '../../ports/carrier.ts';

/** A TwiML document with these verbs. */
function document(...verbs: readonly string[]): CarrierReply {
  return {
    status: 200,
    contentType: 'text/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Response>${verbs.join('')}</Response>`,
  };
}

/** Streams the call to the service; whenever the stream ends, Twilio requests `fallbackUrl`. */
export function streamMarkup({ mediaUrl, fallbackUrl }: CallRoutes): CarrierReply {
  return document(
    `<Connect><Stream url="${escaped(mediaUrl)}"/></Connect>`,
    `<Redirect method="POST">${escaped(fallbackUrl)}</Redirect>`,
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
