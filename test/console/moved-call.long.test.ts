import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Call } from '../../src/contract/call.ts';
import { CONSTANTS } from '../../src/engine/settings/constants.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { BACK, childrenOf, haveComeBack, journalOf } from '../support/failover.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

const SENTENCES = [
  'Good morning, and thank you for calling the town library.',
  'We are open from nine to six on every day but Sunday.',
  'Books can be kept for four weeks, and films for seven days.',
  'Whoever wants to read at home may ask for a card at the desk.',
];
const WELCOME = SENTENCES.join(' ');
/** The voice's pause between two sentences is 320 ms; what is sent ahead of a move, which must not be dropped, is more. */
const MOST_MISSING_MS = 350;

/** Calls from the page, lets `meanwhile` happen while the assistant speaks, and hangs up when it has spoken. */
async function hearWelcome(
  service: ServiceProcess,
  view: ConsolePage,
  meanwhile: () => Promise<void>,
): Promise<Call> {
  await view.page.click('#call');
  await view.untilText('.line.assistant .said', 'Good morning');
  await view.untilLoudspeaker('audible');
  await meanwhile();
  await view.untilText('.line.assistant .said', /at the desk\./);
  await view.untilLoudspeaker('silent');
  await view.untilText('#status', 'In call');
  await view.page.click('#call');
  await view.untilText('#status', 'Call ended');
  const path = '/calls/v1/conversations';
  const { conversations } = await service.json<{ conversations: [Call] }>(path);
  return service.json<Call>(`${path}/${conversations[0].id}`);
}

test.skipIf(!chromiumPath || process.platform !== 'linux')(
  'in a browser a call is heard as a whole while its process is replaced',
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
      const stayed = await hearWelcome(service, view, async () => undefined);
      const moved = await hearWelcome(service, view, async () => {
        const workers = await childrenOf(service.pid);
        process.kill(service.pid, 'SIGUSR2');
        await haveComeBack(service, workers.length);
      });
      const lines = await journalOf(service, moved);
      const gapsMs = lines.flatMap(({ type, data }) =>
        type === 'call.resumed' ? [Number(data.gapMs)] : [],
      );
      const moves = gapsMs.length;
      expect(moves).toBeGreaterThan(0);
      const said = moved.messages?.map(({ text }) => text).join(' ') ?? '';
      // On a machine that is too slow to move a call unnoticed, the assistant says so (R4).
      const isNoticed = gapsMs.some((gapMs) => gapMs >= CONSTANTS.gapWithoutWordsMs);
      expect(isNoticed ? said.replaceAll(`${BACK} `, '') : said).toBe(WELCOME);
      const [whole = 0, heard = 0] = [stayed, moved].map(({ playback }) => playback?.playedMs);
      expect(heard).toBeGreaterThan(whole - moves * MOST_MISSING_MS);
      // A process that is not there yet refuses a socket, and the page tries another time.
      expect(view.complaints.filter((text) => !text.includes('WebSocket'))).toEqual([]);
    } finally {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
