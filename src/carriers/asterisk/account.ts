import { asRecord, asText } from '../../lib/json-frame.ts';
import type { CarrierAccount, CarrierCredentials, CarrierReply } from '../../ports/carrier.ts';
import type { Clock } from '../../ports/clock.ts';
import { CarrierHttp, refusedWith } from '../http.ts';
import { AriEvents } from './ari-events.ts';
import type { Reach } from './guarded-reach.ts';
import { mediaChannelId } from './media-channel.ts';

export interface AsteriskOptions extends Reach {
  readonly clock: Clock;
  readonly deadlineMs?: number;
}

const DIAL_ENDPOINT = 'PJSIP/{number}@trunk';
const CLIENT = 'parley';
const APPLICATION = 'parley';

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
  const { websocketClient = CLIENT } = credentials;
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
  const remove = async (path: string, signal: AbortSignal) => {
    try {
      await http.request({ method: 'DELETE', path, signal, repeatable: true });
    } catch (error) {
      if (refusedWith(error) !== 404) throw error;
    }
  };

  return {
    carrier: 'asterisk',
    // ARI's own login guards the events; nothing may come in by a webhook.
    verifyWebhook: () => false,

    async connectMedia({ carrierCallId, answer, attempt }, { mediaUrl }, signal) {
      if (answer) await post(`${channel(carrierCallId)}/answer`, {}, signal);
      const token = encodeURIComponent(new URL(mediaUrl).pathname.split('/').at(-1) ?? '');
      await post(
        '/channels/externalMedia',
        {
          app: application,
          channelId: mediaChannelId(carrierCallId, attempt),
          external_host: websocketClient,
          transport: 'websocket',
          encapsulation: 'none',
          connection_type: 'client',
          format: 'ulaw',
          direction: 'both',
          transport_data: `f(json)v(token=${token})`,
        },
        signal,
      );
      return asteriskAcknowledgement;
    },

    async refuse(carrierCallId, reason, signal) {
      await remove(`${channel(carrierCallId)}?reason=${reason}`, signal);
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
        formats: 'ulaw',
      });
      const path = `/channels?${query}`;
      const body = await http.request({ method: 'POST', path, signal });
      return asText(asRecord(body)?.id) || callId;
    },

    hangup: (carrierCallId, signal) => remove(`${channel(carrierCallId)}?reason=normal`, signal),

    async sendDtmf(carrierCallId, digits, signal) {
      const query = { dtmf: digits, between: '100', duration: '100' };
      await post(`${channel(carrierCallId)}/dtmf`, query, signal);
    },

    async refer(carrierCallId, to, signal) {
      await post(`${channel(carrierCallId)}/redirect`, { endpoint: endpointOf(to) }, signal);
    },

    openEvents(listener) {
      const login = `${user}:${password}`;
      const query = new URLSearchParams({ app: application, api_key: login });
      const events = new AriEvents({
        url: `${ariUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/events?${query}`,
        clock: options.clock,
        ...(options.openSocket ? { openSocket: options.openSocket } : {}),
        listener,
        bridge: {
          async join(callId, mediaId, signal) {
            const id = `bridge.${callId}`;
            await unlessThere(post('/bridges', { type: 'mixing', bridgeId: id }, signal));
            const members = `${callId},${mediaId}`;
            await post(
              `/bridges/${encodeURIComponent(id)}/addChannel`,
              { channel: members },
              signal,
            );
          },
          async drop(callId, mediaIds, signal) {
            for (const id of mediaIds) await remove(channel(id), signal);
            await remove(`/bridges/${encodeURIComponent(`bridge.${callId}`)}`, signal);
          },
        },
      });
      events.start();
      return { close: () => events.close() };
    },
  };
}

/** A bridge of the same call, made for a media channel before. */
async function unlessThere(answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    if (refusedWith(error) !== 409) throw error;
  }
}
