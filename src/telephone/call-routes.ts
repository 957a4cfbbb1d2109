import type { CallRoutes, CarrierName } from '../ports/carrier.ts';

interface Routed {
  readonly baseUrl: string;
  readonly carrier: CarrierName;
  readonly callId: string;
}

/** Where the carrier asks for, or tells of, one call. */
export function callbackUrl(
  { baseUrl, carrier, callId }: Routed,
  kind: 'voice' | 'status',
): string {
  return `${baseUrl}/carriers/${carrier}/${kind}?call=${encodeURIComponent(callId)}`;
}

/** Where the call's next media socket and its callbacks go. */
export function routesOf(routed: Routed, token: string, attempt: number): CallRoutes {
  const { baseUrl, carrier } = routed;
  return {
    mediaUrl: `${baseUrl.replace(/^http/, 'ws')}/media/${carrier}/${token}`,
    // The attempt makes each request for a new socket good once.
    fallbackUrl: `${callbackUrl(routed, 'voice')}&attempt=${attempt + 1}`,
    statusUrl: callbackUrl(routed, 'status'),
  };
}
