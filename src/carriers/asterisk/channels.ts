import { asRecord, asRecords, asText } from '../../lib/json-frame.ts';
import { type CarrierHttp, refusedWith } from '../http.ts';
import { INBOUND } from './ari-event.ts';

/** A channel as Asterisk lists it. */
export interface ListedChannel {
  readonly id: string;
  readonly isUp: boolean;
  /** True in the application, false elsewhere in the dialplan. */
  readonly isInApplication: boolean;
  /** Its dialplan context. */
  readonly context: string;
  /** Set for an inbound call that waits to be answered. */
  readonly arrival:
    | { readonly from: string; readonly to: string; readonly callerName: string }
    | undefined;
}

/** ARI requests on channels and bridges. All reject with ProviderError, or with the signal's reason. */
export interface AriChannels {
  /** Every channel of this Asterisk. */
  list(signal: AbortSignal): Promise<readonly ListedChannel[]>;
  /** Resolves with undefined if there is no such channel. */
  find(id: string, signal: AbortSignal): Promise<ListedChannel | undefined>;
  /** Subscribes to a channel's events until its end. Resolves with false if it has ended. */
  watch(id: string, signal: AbortSignal): Promise<boolean>;
  hangUp(id: string, reason: 'normal' | 'busy' | 'rejected', signal: AbortSignal): Promise<void>;
  /** Adds channels to the caller's bridge, which is created if needed. */
  join(callId: string, members: readonly string[], signal: AbortSignal): Promise<void>;
  /** Removes a caller's media channels and bridge. */
  drop(callId: string, mediaIds: readonly string[], signal: AbortSignal): Promise<void>;
  /** The ids of the calls that have a bridge. */
  bridged(signal: AbortSignal): Promise<readonly string[]>;
}

const BRIDGE_PREFIX = 'bridge.';
const bridgeId = (callId: string) => `${BRIDGE_PREFIX}${callId}`;

export function createAriChannels(http: CarrierHttp, application: string): AriChannels {
  const channelPath = (id: string) => `/channels/${encodeURIComponent(id)}`;
  const remove = async (path: string, signal: AbortSignal) => {
    try {
      await http.request({ method: 'DELETE', path, signal, repeatable: true });
    } catch (error) {
      if (refusedWith(error) !== 404) throw error;
    }
  };
  const read = (path: string, signal: AbortSignal) =>
    http.request({ method: 'GET', path, signal, repeatable: true });

  const listed = (channel: unknown): ListedChannel => {
    const json = asRecord(channel);
    const dialplan = asRecord(json?.dialplan);
    const caller = asRecord(json?.caller);
    const waits = json?.state === 'Ring' && dialplan?.app_data === `${application},${INBOUND}`;
    return {
      id: asText(json?.id),
      isUp: json?.state === 'Up',
      isInApplication:
        dialplan?.app_name === 'Stasis' && asText(dialplan.app_data).split(',')[0] === application,
      context: asText(dialplan?.context),
      arrival: waits
        ? {
            from: asText(caller?.number),
            to: asText(dialplan?.exten),
            callerName: asText(caller?.name),
          }
        : undefined,
    };
  };

  return {
    list: async (signal) => asRecords(await read('/channels', signal)).map(listed),
    async find(id, signal) {
      try {
        return listed(await read(channelPath(id), signal));
      } catch (error) {
        if (refusedWith(error) === 404) return undefined;
        throw error;
      }
    },
    async watch(id, signal) {
      const source = new URLSearchParams({ eventSource: `channel:${id}` });
      const path = `/applications/${encodeURIComponent(application)}/subscription?${source}`;
      try {
        await http.request({ method: 'POST', path, signal, repeatable: true });
        return true;
      } catch (error) {
        // The channel is gone. It can't be the application that is missing, since its events arrive.
        if (refusedWith(error) === 404 || refusedWith(error) === 422) return false;
        throw error;
      }
    },
    hangUp: (id, reason, signal) => remove(`${channelPath(id)}?reason=${reason}`, signal),
    async join(callId, members, signal) {
      const made = new URLSearchParams({ type: 'mixing', bridgeId: bridgeId(callId) });
      await unlessThere(http.request({ method: 'POST', path: `/bridges?${made}`, signal }));
      const added = new URLSearchParams({ channel: members.join(',') });
      const path = `/bridges/${encodeURIComponent(bridgeId(callId))}/addChannel?${added}`;
      await http.request({ method: 'POST', path, signal });
    },
    async drop(callId, mediaIds, signal) {
      for (const id of mediaIds) await remove(channelPath(id), signal);
      await remove(`/bridges/${encodeURIComponent(bridgeId(callId))}`, signal);
    },
    async bridged(signal) {
      const ids = asRecords(await read('/bridges', signal)).map(({ id }) => asText(id));
      return ids
        .filter((id) => id.startsWith(BRIDGE_PREFIX))
        .map((id) => id.slice(BRIDGE_PREFIX.length));
    },
  };
}

/** Ignores a refusal because a thing with this id exists already. */
export async function unlessThere(answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    if (refusedWith(error) !== 409) throw error;
  }
}
