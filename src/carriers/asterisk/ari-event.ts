import type { PhoneCallStatus } from '../../contract/call.ts';
import {
  asNumber,
  asRecord,
  asText,
  type JsonObject,
  parseJsonFrame,
} from '../../lib/json-frame.ts';
import { callOfMediaChannel } from './media-channel.ts';

/** What an event of ARI means for a caller's channel, or for the media channel made for it. */
export type AriEvent =
  | {
      readonly type: 'arrived';
      readonly channelId: string;
      readonly from: string;
      readonly to: string;
      readonly callerName: string;
    }
  /** A channel that we dialled came into the application: it was answered. */
  | { readonly type: 'entered'; readonly channelId: string }
  /** A channel that was asked to hand its caller on is back with the answer of the far end. */
  | { readonly type: 'referred'; readonly channelId: string; readonly cause: string | undefined }
  | { readonly type: 'progress'; readonly channelId: string; readonly status: PhoneCallStatus }
  /** The far end hangs up; the channel is destroyed a moment later, with a cause that may be less precise. */
  | { readonly type: 'hanging-up'; readonly channelId: string; readonly cause: number }
  /** The channel left the application: it is over, or its dialplan goes on. */
  | { readonly type: 'left'; readonly channelId: string }
  | { readonly type: 'destroyed'; readonly channelId: string; readonly cause: number }
  | { readonly type: 'media-entered'; readonly channelId: string; readonly callId: string }
  | { readonly type: 'media-destroyed'; readonly channelId: string; readonly callId: string }
  /** Another client has taken the application over; no event comes here any more. */
  | { readonly type: 'replaced'; readonly channelId: '' };

/** The first argument of `Stasis(app,…)` for a call that arrives, as the dialplan gives it. */
export const INBOUND = 'inbound';
/** The same for a channel that comes back from a transfer by REFER. */
const REFERRED = 'referred';

const DIAL_STATUS: Readonly<Record<string, PhoneCallStatus>> = {
  '': 'trying',
  RINGING: 'ringing',
  PROGRESS: 'early-media',
  ANSWER: 'in-progress',
};

/** Reads one event of ARI; undefined for what does not matter here. Pure. */
export function parseAriEvent(text: string): AriEvent | undefined {
  const json = parseJsonFrame(text);
  if (json?.type === 'ApplicationReplaced') return { type: 'replaced', channelId: '' };
  const channel = asRecord(json?.channel) ?? asRecord(json?.peer);
  const channelId = asText(channel?.id);
  if (!json || !channel || channelId === '') return undefined;
  const callId = callOfMediaChannel(channelId);
  return callId === undefined
    ? callerEvent(json, channel, channelId)
    : mediaEvent(json, channelId, callId);
}

function callerEvent(
  json: JsonObject,
  channel: JsonObject,
  channelId: string,
): AriEvent | undefined {
  switch (json.type) {
    case 'StasisStart':
      return stasisStart(json, channel, channelId);
    case 'Dial': {
      const status = DIAL_STATUS[asText(json.dialstatus)];
      return status && { type: 'progress', channelId, status };
    }
    case 'ChannelStateChange':
      return channel.state === 'Ringing'
        ? { type: 'progress', channelId, status: 'ringing' }
        : undefined;
    case 'ChannelHangupRequest':
      return { type: 'hanging-up', channelId, cause: asNumber(json.cause) ?? 0 };
    case 'StasisEnd':
      return { type: 'left', channelId };
    case 'ChannelDestroyed':
      return { type: 'destroyed', channelId, cause: asNumber(json.cause) ?? 0 };
    default:
      // Tones come over the media socket.
      return undefined;
  }
}

function stasisStart(json: JsonObject, channel: JsonObject, channelId: string): AriEvent {
  const [first, status, code] = (Array.isArray(json.args) ? json.args : []).map(asText);
  if (first === REFERRED) {
    const cause = status === 'SUCCESS' ? undefined : `refer-${code || status || 'unknown'}`;
    return { type: 'referred', channelId, cause };
  }
  if (first !== INBOUND) return { type: 'entered', channelId };
  const caller = asRecord(channel.caller);
  return {
    type: 'arrived',
    channelId,
    from: asText(caller?.number),
    to: asText(asRecord(channel.dialplan)?.exten),
    callerName: asText(caller?.name),
  };
}

function mediaEvent(json: JsonObject, channelId: string, callId: string): AriEvent | undefined {
  if (json.type === 'StasisStart') return { type: 'media-entered', channelId, callId };
  if (json.type === 'ChannelDestroyed') return { type: 'media-destroyed', channelId, callId };
  return undefined;
}

/** A Q.850 cause as the status of the line. */
export function statusOfCause(cause: number, wasAnswered: boolean): PhoneCallStatus {
  if (wasAnswered) return 'completed';
  if (cause === 17) return 'busy';
  return cause === 16 || cause === 18 || cause === 19 ? 'no-answer' : 'failed';
}
