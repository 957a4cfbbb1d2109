import type { PhoneCallStatus } from '../../contract/call.ts';
import {
  asNumber,
  asRecord,
  asText,
  type JsonObject,
  parseJsonFrame,
} from '../../lib/json-frame.ts';
import { callOfMediaChannel } from './media-channel.ts';

/** An ARI event of a caller's channel or of its media channel. */
export type AriEvent =
  | {
      readonly type: 'arrived';
      readonly channelId: string;
      readonly from: string;
      readonly to: string;
      readonly callerName: string;
    }
  /** A dialled channel entered the application: it was answered. */
  | { readonly type: 'entered'; readonly channelId: string }
  /** A channel returned from a REFER with the far end's answer. */
  | { readonly type: 'referred'; readonly channelId: string; readonly cause: string | undefined }
  | { readonly type: 'progress'; readonly channelId: string; readonly status: PhoneCallStatus }
  /** The far end hangs up. The channel is destroyed a moment later, sometimes with a less precise cause. */
  | { readonly type: 'hanging-up'; readonly channelId: string; readonly cause: number }
  /** The channel left the application: it ends, or its dialplan continues. */
  | { readonly type: 'left'; readonly channelId: string }
  | { readonly type: 'destroyed'; readonly channelId: string; readonly cause: number }
  | { readonly type: 'media-entered'; readonly channelId: string; readonly callId: string }
  | { readonly type: 'media-destroyed'; readonly channelId: string; readonly callId: string }
  /** Another client took over the application: no more events come here. */
  | { readonly type: 'replaced'; readonly channelId: '' };

/** The first argument of `Stasis(app,…)` in the dialplan for an inbound call. */
export const INBOUND = 'inbound';
/** The first argument of `Stasis(app,…)` for a channel that returns from a REFER. */
const REFERRED = 'referred';

const DIAL_STATUS: Readonly<Record<string, PhoneCallStatus>> = {
  '': 'trying',
  RINGING: 'ringing',
  PROGRESS: 'early-media',
  ANSWER: 'in-progress',
};

/** Reads one ARI event; undefined if it is of no use here. Pure. */
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
      // Keys come over the media socket.
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

/** The call status for a Q.850 cause. */
export function statusOfCause(cause: number, wasAnswered: boolean): PhoneCallStatus {
  if (wasAnswered) return 'completed';
  if (cause === 17) return 'busy';
  return cause === 16 || cause === 18 || cause === 19 ? 'no-answer' : 'failed';
}
