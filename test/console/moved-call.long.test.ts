import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Call } from '../../src/contract/call.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { childrenOf, haveComeBack, journalOf } from '../support/failover.ts';
import { startTestService } from '../support/test-service.ts';

const SENTENCES = [
  'Good morning, and thank you for calling the town library.',
  'We are open from nine to six on every day but Sunday.',
  'Books can be kept for four weeks, and films for seven days.',
  'Whoever wants to read at home may ask for a card at the desk.',
];
const WELCOME = SENTENCES.join(' ');
/** More than the sound sent ahead could hide would be missing if the browser dropped it. */
const MOST_CONCEALED_MS = 300;

test.skipIf(!chromiumPath || process.platform !== 'linux')(
  'in a browser a call is heard without a gap while its process is replaced',
  { timeout: 300_000, retry: 1 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-moved-'));
    const service = await startTestService(folder, {
      PROCESSES: '2',
      LOG_LEVEL: 'info',
      DRAIN: 'handover',
      DRAIN_SECONDS: '20',
    });
    try {
      const { _id: id } = await service.json<{ _id: string }>('/assistants/v1/assistants', {
        method: 'POST',
        body: { name: 'Library', welcomeMessage: WELCOME },
      });
      await using view = await ConsolePage.open(service.url, { at: `/talk?assistantId=${id}` });
      await view.signIn(service.key);
      await view.page.click('#call');
      await view.untilText('.line.assistant .said', 'Good morning');
      await view.untilLoudspeaker('audible');
      const workers = await childrenOf(service.pid);
      process.kill(service.pid, 'SIGUSR2');
      await haveComeBack(service, workers.length);
      await view.untilText('.line.assistant .said', /at the desk\./);
      await view.untilText('#status', 'In call');
      await view.page.click('#call');
      await view.untilText('#status', 'Call ended');
      const { conversations } = await service.json<{ conversations: Call[] }>(
        '/calls/v1/conversations',
      );
      const call = conversations[0] as Call;
      const record = await service.json<Call>(`/calls/v1/conversations/${call.id}`);
      const lines = await journalOf(service, call);
      expect(lines.map(({ type }) => type)).toContain('call.resumed');
      expect(record.messages?.map(({ text }) => text).join(' ')).toBe(WELCOME);
      expect(record.playback?.concealedMs).toBeLessThan(MOST_CONCEALED_MS);
      expect(view.complaints).toEqual([]);
    } finally {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
