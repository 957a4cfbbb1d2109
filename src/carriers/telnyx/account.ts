import { ProviderError } from '../../lib/errors.ts';
import { asRecord, asRecords, asText } from '../../lib/json-frame.ts';
import type { CarrierAccount, CarrierCredentials, CarrierReply } from '../../ports/carrier.ts';
import type { Clock } from '../../ports/clock.ts';
import { CarrierHttp, refusedWith } from '../http.ts';
import { createTelnyxNumbers } from './numbers.ts';
import { isSignedByTelnyx, telnyxPublicKey } from './webhooks.ts';

export interface TelnyxOptions {
  /** @defaultValue `https://api.telnyx.com/v2` */
  readonly baseUrl?: string;
  readonly clock: Clock;
  readonly fetch?: typeof fetch;
  readonly deadlineMs?: number;
}

const BASE_URL = 'https://api.telnyx.com/v2';
/** `90018`: the call has ended. */
const ENDED = 'telnyx_90018';
/** `90045`: the call has a stream, such as that of a machine that died without closing it. */
const STREAMS = 'telnyx_90045';

/** Commands are REST requests; a webhook is only acknowledged. */
export const telnyxAcknowledgement: CarrierReply = {
  status: 200,
  contentType: 'application/json',
  body: '{}',
};

/** An account at Telnyx, used through Call Control. */
export function openTelnyxAccount(
  credentials: CarrierCredentials['telnyx'],
  options: TelnyxOptions,
): CarrierAccount {
  const { apiKey, publicKey, connectionId, messagingProfileId } = credentials;
  const { baseUrl = BASE_URL, ...rest } = options;
  const key = telnyxPublicKey(publicKey);
  const http = new CarrierHttp({
    ...rest,
    carrier: 'telnyx',
    baseUrl,
    authorization: `Bearer ${apiKey}`,
    explain,
  });
  const command = (
    carrierCallId: string,
    name: string,
    fields: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) =>
    http.request({
      method: 'POST',
      // A call id has a colon, which Telnyx's own library does not escape.
      path: `/calls/${encodeURIComponent(carrierCallId).replaceAll('%3A', ':')}/actions/${name}`,
      json: fields,
      signal,
      // Telnyx runs a command with the same `command_id` once.
      repeatable: 'command_id' in fields,
    });

  return {
    carrier: 'telnyx',
    verifyWebhook: (request, nowMs) => key !== undefined && isSignedByTelnyx(request, key, nowMs),

    async connectMedia({ carrierCallId, answer, attempt }, { mediaUrl }, signal) {
      const run = (name: string, fields: Readonly<Record<string, unknown>>, again = '') => {
        const command_id = `${carrierCallId}:${name}:${attempt}${again}`;
        return command(carrierCallId, name, { ...fields, command_id }, signal);
      };
      try {
        await run(answer ? 'answer' : 'streaming_start', stream(mediaUrl));
      } catch (error) {
        if (!(error instanceof ProviderError) || error.code !== STREAMS) throw error;
        await run('streaming_stop', {});
        await run('streaming_start', stream(mediaUrl), ':again');
      }
      return telnyxAcknowledgement;
    },

    async refuse(carrierCallId, reason, signal) {
      const cause = reason === 'busy' ? 'USER_BUSY' : 'CALL_REJECTED';
      const commandId = `${carrierCallId}:reject`;
      await unlessEnded(command(carrierCallId, 'reject', { cause, command_id: commandId }, signal));
      return telnyxAcknowledgement;
    },

    async dial({ to, from, callId, statusUrl, ringSeconds, maxSeconds, detectMachine, signal }) {
      const body = await http.request({
        method: 'POST',
        path: '/calls',
        json: {
          connection_id: connectionId,
          to,
          from,
          timeout_secs: ringSeconds,
          time_limit_secs: maxSeconds,
          webhook_url: statusUrl,
          client_state: btoa(callId),
          command_id: callId,
          ...(detectMachine ? { answering_machine_detection: 'greeting_end' } : {}),
        },
        signal,
        repeatable: true,
      });
      return idOf(asRecord(body)?.data, 'call_control_id');
    },

    async hangup(carrierCallId, signal) {
      const commandId = `${carrierCallId}:hangup`;
      await unlessEnded(command(carrierCallId, 'hangup', { command_id: commandId }, signal));
    },

    async sendDtmf(carrierCallId, digits, signal) {
      await command(carrierCallId, 'send_dtmf', { digits, duration_millis: 250 }, signal);
    },

    async sendText({ from, to, text, statusUrl }, signal) {
      const body = await http.request({
        method: 'POST',
        path: '/messages',
        json: {
          from,
          to,
          text,
          ...(messagingProfileId ? { messaging_profile_id: messagingProfileId } : {}),
          ...(statusUrl ? { webhook_url: statusUrl } : {}),
        },
        signal,
      });
      return idOf(asRecord(body)?.data, 'id');
    },

    numbers: createTelnyxNumbers(http, {
      connectionId,
      clock: options.clock,
      ...(messagingProfileId ? { messagingProfileId } : {}),
    }),
  };
}

/** Streaming parameters: the caller's track only, raw µ-law both ways. */
function stream(mediaUrl: string) {
  return {
    stream_url: mediaUrl,
    stream_track: 'inbound_track',
    stream_codec: 'PCMU',
    stream_bidirectional_mode: 'rtp',
    stream_bidirectional_codec: 'PCMU',
    stream_bidirectional_target_legs: 'self',
  };
}

async function unlessEnded(answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    const hasEnded = error instanceof ProviderError && error.code === ENDED;
    if (!hasEnded && refusedWith(error) !== 404) throw error;
  }
}

/** The id of the created resource. */
export function idOf(data: unknown, field: string): string {
  const id = asText(asRecord(data)?.[field]);
  if (id !== '') return id;
  throw new ProviderError({
    class: 'protocol',
    provider: 'telnyx',
    code: 'no-id',
    message: 'telnyx: the answer has no id',
  });
}

function explain(body: unknown): { code?: string; message?: string } {
  const [error] = asRecords(asRecord(body)?.errors);
  const message = [asText(error?.title), asText(error?.detail)].filter(Boolean).join(': ');
  return {
    ...(error?.code ? { code: `telnyx_${error.code}` } : {}),
    ...(message ? { message } : {}),
  };
}
