import type { CallRoutes, CarrierName } from '../ports/carrier.ts';

interface Routed {
  readonly baseUrl: string;
  readonly carrier: CarrierName;
  readonly callId: string;
  /** That of an operator's leg, which no record names once it is over. */
  readonly number?: string;
}

/** The URL of one call's webhooks. */
export function callbackUrl(
  { baseUrl, carrier, callId, number }: Routed,
  kind: 'voice' | 'status',
): string {
  const named = number === undefined ? '' : `&number=${encodeURIComponent(number)}`;
  return `${baseUrl}/carriers/${carrier}/${kind}?call=${encodeURIComponent(callId)}${named}`;
}

/** The URLs of the call's next media socket and of its callbacks. */
export function routesOf(routed: Routed, token: string, attempt: number): CallRoutes {
  const { baseUrl, carrier } = routed;
  return {
    mediaUrl: `${baseUrl.replace(/^http/, 'ws')}/media/${carrier}/${token}`,
    // Each attempt number grants one new socket.
    fallbackUrl: `${callbackUrl(routed, 'voice')}&attempt=${attempt + 1}`,
    statusUrl: callbackUrl(routed, 'status'),
  };
}
