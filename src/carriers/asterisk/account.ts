import { basicAuthorization } from '../../lib/basic-authorization.ts';
import { asRecord, asText } from '../../lib/json-frame.ts';
import { withoutEndSlashes } from '../../lib/without-end-slashes.ts';
import type { CarrierAccount, CarrierCredentials, CarrierReply } from '../../ports/carrier.ts';
import type { Clock } from '../../ports/clock.ts';
import { CarrierHttp, refusedWith } from '../http.ts';
import { AriEvents, REFER_CONTEXT } from './ari-events.ts';
import { createAriChannels, unlessThere } from './channels.ts';
import { openPlainSocket, type Reach } from './guarded-reach.ts';
import { mediaChannelId } from './media-channel.ts';

export interface AsteriskOptions extends Reach {
  readonly clock: Clock;
  readonly deadlineMs?: number;
}

const DIAL_ENDPOINT = 'PJSIP/{number}@trunk';
/** The dialplan's variable with the SIP URI to refer the caller to. */
const REFER_VARIABLE = 'PARLEY_REFER_TO';
const CLIENT = 'parley';
const APPLICATION = 'parley';
const MEDIA_FORMAT = 'ulaw';

/** Unused: Asterisk sends no webhooks. */
export const asteriskAcknowledgement: CarrierReply = {
  status: 204,
  contentType: 'text/plain',
  body: '',
};

/** An account at a team's or the operator's Asterisk: commands and events by ARI, media by its WebSocket channel. */
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
    authorization: basicAuthorization(user, password),
    explain: (body) => {
      const message = asText(asRecord(body)?.message);
      return message ? { message } : {};
    },
  });
  const post = (path: string, query: Readonly<Record<string, string>>, signal: AbortSignal) =>
    http.request({ method: 'POST', path: `${path}?${new URLSearchParams(query)}`, signal });
  // Safe to insert: a number consists of digits and a plus.
  const endpointOf = (number: string) => dialEndpoint.replace('{number}', number);
  const channel = (id: string) => `/channels/${encodeURIComponent(id)}`;
  const channels = createAriChannels(http, application);

  return {
    carrier: 'asterisk',
    // Events come over ARI, which has a login; no webhook is genuine.
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
      // A channel that exists already comes from a first attempt whose answer was lost.
      const connect = () => unlessThere(post('/channels/externalMedia', query, signal));
      await connect().catch((error: unknown) => {
        if (signal.aborted) throw error;
        return connect();
      });
      // Answered only when media is connected, so that an answered caller is heard.
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
        // With the call's id Asterisk refuses a second attempt for the same call.
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
          // The dialplan sends the REFER, waits for the far end's answer and returns to the application with it.
          async refer(carrierCallId: string, to: string, signal: AbortSignal) {
            const target = `PJSIP/${referUri.replace('{number}', to)}`;
            const query = { variable: REFER_VARIABLE, value: target };
            await post(`${channel(carrierCallId)}/variable`, query, signal);
            const place = { context: REFER_CONTEXT, extension: 's', priority: '1' };
            await post(`${channel(carrierCallId)}/continue`, place, signal);
          },
        }),

    // Other settings of a number, such as its dial endpoint, do not change its events.
    eventSource: JSON.stringify([ariUrl, user, password, application]),

    async isFollowed(signal) {
      const path = `/applications/${encodeURIComponent(application)}`;
      try {
        await http.request({ method: 'GET', path, signal, repeatable: true });
        return true;
      } catch (error) {
        // Asterisk knows an application only while a listener is connected for it.
        if (refusedWith(error) === 404) return false;
        throw error;
      }
    },

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

/**
 * Escapes a value of `v(name=value)` in the data of a WebSocket channel. Asterisk accepts letters, digits, `.`, `_`, `-`
 * and percent escapes, and refuses the whole channel for the other characters that `encodeURIComponent` leaves.
 */
function uriParameter(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
