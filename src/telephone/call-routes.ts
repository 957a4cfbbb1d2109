import type { CallRoutes, CarrierName } from '../ports/carrier.ts';

interface Routed {
  readonly baseUrl: string;
  readonly carrier: CarrierName;
  readonly callId: string;
}

/** The URL of one call's webhooks. */
export function callbackUrl(
  { baseUrl, carrier, callId }: Routed,
  kind: 'voice' | 'status',
): string {
  return `${baseUrl}/carriers/${carrier}/${kind}?call=${encodeURIComponent(callId)}`;
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
