import { useMemo } from 'preact/hooks';
import type { Call } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { useLoad } from '../use-load.ts';
import { CallTimeline } from './call-timeline.ts';
import { readJournal } from './journal.ts';
import type { SpokenLine } from './timeline-lines.ts';

const LONGEST_MS = 120_000;

/** Loads the timeline of a finished call from its journal. */
export function useTimeline(callId: string, over: boolean) {
  const client = useClient();
  return useLoad(
    async (signal) => {
      if (!over) return undefined;
      const path = { id: callId };
      const response = await client.open('getCallEvents', { path, signal, timeoutMs: LONGEST_MS });
      return CallTimeline.of(await readJournal(response.body));
    },
    [client, callId, over],
  );
}

/** The transcript from the journal, or the messages of the record if the journal has none. */
export function useLines(call: Call, timeline: CallTimeline): readonly SpokenLine[] {
  return useMemo(
    () => (timeline.lines.length > 0 ? timeline.lines : linesOf(call)),
    [call.messages, timeline, timeline.seq],
  );
}

function linesOf({ messages, startAt }: Call): readonly SpokenLine[] {
  return messages.map(({ messageId, role, text, timestamp }) => {
    const fromMs = Math.max(0, Date.parse(timestamp) - Date.parse(startAt));
    const nothing = { unheard: '', open: false, words: [] } as const;
    return { id: messageId, role, text, fromMs, toMs: fromMs, ...nothing };
  });
}
