import { asRecord, asText } from '../../lib/json-frame.ts';
import { withoutEndSlashes } from '../../lib/without-end-slashes.ts';
import type { CarrierAccount, CarrierCredentials, CarrierReply } from '../../ports/carrier.ts';
import type { Clock } from '../../ports/clock.ts';
import { CarrierHttp } from '../http.ts';
import { AriEvents, REFER_CONTEXT } from './ari-events.ts';
import { createAriChannels, unlessThere } from './channels.ts';
import { openPlainSocket, type Reach } from './guarded-reach.ts';
import { mediaChannelId } from './media-channel.ts';
import { uriParameter } from './uri-parameter.ts';

export interface AsteriskOptions extends Reach {
  readonly clock: Clock;
  readonly deadlineMs?: number;
}

const DIAL_ENDPOINT = 'PJSIP/{number}@trunk';
/** What the context takes as the far end's SIP URI. */
const REFER_VARIABLE = 'PARLEY_REFER_TO';
const CLIENT = 'parley';
const APPLICATION = 'parley';
const MEDIA_FORMAT = 'ulaw';

/** There is no webhook to answer. */
export const asteriskAcknowledgement: CarrierReply = {
  status: 204,
  contentType: 'text/plain',
  body: '',
};

/** One's own Asterisk: commands and events by ARI, media by its WebSocket channel. */
export function openAsteriskAccount(
  credentials: CarrierCredentials['asterisk'],
  options: AsteriskOptions,
): CarrierAccount {
  const { ariUrl, user, password } = credentials;
  const { dialEndpoint = DIAL_ENDPOINT, application = APPLICATION } = credentials;
  const { websocketClient = CLIENT, mediaFormat = MEDIA_FORMAT, referUri } = credentials;
  const http = new CarrierHttp({
    ...options,
    carrier: 'asterisk',
    baseUrl: ariUrl,
    authorization: `Basic ${btoa(`${user}:${password}`)}`,
    explain: (body) => {
      const message = asText(asRecord(body)?.message);
      return message ? { message } : {};
    },
  });
  const post = (path: string, query: Readonly<Record<string, string>>, signal: AbortSignal) =>
    http.request({ method: 'POST', path: `${path}?${new URLSearchParams(query)}`, signal });
  // A number is digits and a plus: nothing that has a meaning in an endpoint.
  const endpointOf = (number: string) => dialEndpoint.replace('{number}', number);
  const channel = (id: string) => `/channels/${encodeURIComponent(id)}`;
  const channels = createAriChannels(http, application);

  return {
    carrier: 'asterisk',
    // ARI's own login guards the events; nothing may come in by a webhook.
    verifyWebhook: () => false,

    async connectMedia({ carrierCallId, answer, attempt }, { mediaUrl }, signal) {
      const token = new URL(mediaUrl).pathname.split('/').at(-1) ?? '';
      const query = {
        app: application,
        channelId: mediaChannelId(carrierCallId, attempt),
        external_host: websocketClient,
        transport: 'websocket',
        encapsulation: 'none',
        connection_type: 'client',
        format: mediaFormat,
        direction: 'both',
        transport_data: `f(json)v(token=${uriParameter(token)})`,
      };
      // One that is there already is the first try's, whose answer was lost.
      const connect = () => unlessThere(post('/channels/externalMedia', query, signal));
      await connect().catch((error: unknown) => {
        if (signal.aborted) throw error;
        return connect();
      });
      // Only now: a caller who is answered can be heard.
      if (answer) await post(`${channel(carrierCallId)}/answer`, {}, signal);
      return asteriskAcknowledgement;
    },

    async refuse(carrierCallId, reason, signal) {
      await channels.hangUp(carrierCallId, reason, signal);
      return asteriskAcknowledgement;
    },

    async dial({ to, from, callId, ringSeconds, signal }) {
      const query = new URLSearchParams({
        endpoint: endpointOf(to),
        app: application,
        appArgs: 'outbound',
        callerId: from,
        timeout: String(ringSeconds),
        // Our own id: a second try of the same call is refused.
        channelId: callId,
      });
      const path = `/channels?${query}`;
      const body = await http.request({ method: 'POST', path, signal });
      return asText(asRecord(body)?.id) || callId;
    },

    hangup: (carrierCallId, signal) => channels.hangUp(carrierCallId, 'normal', signal),

    async sendDtmf(carrierCallId, digits, signal) {
      const query = { dtmf: digits, between: '100', duration: '100' };
      await post(`${channel(carrierCallId)}/dtmf`, query, signal);
    },

    ...(referUri === undefined
      ? {}
      : {
          // By the dialplan, which waits for the far end's word and comes back with it.
          async refer(carrierCallId: string, to: string, signal: AbortSignal) {
            const target = `PJSIP/${referUri.replace('{number}', to)}`;
            const query = { variable: REFER_VARIABLE, value: target };
            await post(`${channel(carrierCallId)}/variable`, query, signal);
            const place = { context: REFER_CONTEXT, extension: 's', priority: '1' };
            await post(`${channel(carrierCallId)}/continue`, place, signal);
          },
        }),

    // What else a number says, such as how it dials, changes nothing in what is told.
    eventSource: JSON.stringify([ariUrl, user, password, application]),

    openEvents(listener) {
      const login = `${user}:${password}`;
      const query = new URLSearchParams({ app: application, api_key: login });
      const events = new AriEvents({
        url: `${withoutEndSlashes(ariUrl.replace(/^http/, 'ws'))}/events?${query}`,
        clock: options.clock,
        openSocket: options.openSocket ?? openPlainSocket(options.clock),
        listener,
        channels,
      });
      events.start();
      return {
        close: () => events.close(),
        standing: (signal) => events.standing(signal),
      };
    },
  };
}
