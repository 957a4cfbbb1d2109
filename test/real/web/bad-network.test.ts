import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../../support/chromium-flags.ts';
import { ConsolePage } from '../../support/console-page.ts';
import { SERVICE_KEY, ServiceProcess } from '../../support/service-process.ts';
import { type Line, startNetwork, whyNoNetwork } from './network.ts';
import { callApi, readHeard, readRecordedLevels, said } from './page-functions.js';
import { runsOf } from './speech-runs.ts';

const why = whyNoNetwork() ?? (chromiumPath ? undefined : 'it needs Chromium');
const title = why ? `a call over a bad network (skipped: ${why})` : 'a call over a bad network';

const QUESTION = 'what-your-country-can-do.wav';

/** Half a minute of speech, so that a share of a hundredth means something. */
const WELCOME = Array.from(
  { length: 6 },
  (_, i) =>
    `This is part ${i + 1} of a long welcome, which is spoken without a pause for questions. ` +
    'It goes on for a while, so that the line has time to show what it does to a voice.',
).join(' ');

interface Measured {
  readonly concealedPercent: number;
  readonly gaps: number;
  readonly stretchedMs: number;
  readonly cutMs: number;
  readonly delayMs: number;
  /** By ear: how much longer the speech was at the loudspeaker than in the service's recording. */
  readonly addedPercent: number;
}

describe.skipIf(why)(title, () => {
  test.each<Line & { readonly mostPercent: number }>([
    { name: 'good', delayMs: 20, jitterMs: 0, lossPercent: 0, reorder: false, mostPercent: 0.2 },
    { name: '3 % loss', delayMs: 40, jitterMs: 0, lossPercent: 3, reorder: false, mostPercent: 1 },
    {
      name: '3 % loss, 100 ms of jitter, reordering',
      delayMs: 40,
      jitterMs: 100,
      lossPercent: 3,
      reorder: true,
      mostPercent: 3,
    },
  ])(
    '$name: at most $mostPercent % of silence is heard, and the question is understood',
    async ({ mostPercent, ...line }) => {
      const dir = await mkdtemp(join(tmpdir(), 'bad-network-'));
      const network = await startNetwork(line);
      const service = await ServiceProcess.start(
        dir,
        { HOST: '10.99.0.1', LOG_LEVEL: 'error' },
        network.atService,
      );
      let result: Measured;
      try {
        await using view = await ConsolePage.open(service.url, {
          // The welcome takes some 40 s; a busy machine may be late, so it is asked twice.
          says: [55_000, QUESTION, 25_000, QUESTION],
          startedBy: network.atCaller,
          trustedOrigin: service.url,
          bypassPolicy: true,
          watchedBy: join(import.meta.dirname, 'hear-call.js'),
        });
        await view.signIn(SERVICE_KEY);
        result = await hold(view, service.url);
      } finally {
        await service.stop();
        const carried = await network.stop();
        await rm(dir, { recursive: true, force: true });
        console.info(`${line.name}: ${carried}`);
      }
      console.info(`${line.name}: ${JSON.stringify(result)}`);
      expect(result.concealedPercent).toBeLessThanOrEqual(mostPercent);
      expect(result.addedPercent).toBeLessThanOrEqual(mostPercent + 0.5);
    },
  );
});

/** A call of the page: a long welcome, a question, its answer; what was heard of both. */
async function hold(view: ConsolePage, url: string): Promise<Measured> {
  const { page } = view;
  const ask = (method: string, path: string, body?: unknown) =>
    page.evaluate(callApi, [method, url + path, SERVICE_KEY, body] as const);
  const [guide] = (await ask('GET', '/assistants/v1/assistants')) as { _id: string }[];
  const id = guide?._id ?? '';
  await ask('PATCH', `/assistants/v1/assistants/${id}`, {
    welcomeMessage: WELCOME,
    welcomeMessageInterruptionsEnabled: false,
    recordingEnabled: true,
  });
  await page.goto(`${url}/console/#/talk?assistantId=${id}`);
  await page.click('#call:not([disabled])');
  await view.untilText('#status', 'In call');
  await page.waitForFunction(said, 'What your country can do for you?', { timeout: 120_000 });
  await view.untilText('.line.assistant .said', /^(That is the wrong|Those are the words)/);
  await page.waitForTimeout(8000);
  await page.click('#call');
  await view.untilText('#status', 'Call ended');
  const { levels, stats } = await page.evaluate(readHeard);
  const href = (await page.getAttribute('a:has-text("View call")', 'href')) ?? '';
  const call = `/calls/v1/conversations/${href.split('/').at(-1)}`;
  await expect
    .poll(() => ask('GET', call), { timeout: 30_000 })
    .toMatchObject({ recording: {}, playback: { concealments: stats.concealments } });
  const recorded = await page.evaluate(readRecordedLevels, [
    `${url}${call}/recording`,
    SERVICE_KEY,
  ] as const);
  const heard = runsOf(levels);
  const meant = runsOf(recorded);
  expect(heard).toHaveLength(meant.length);
  const sum = (lengths: readonly number[]) => lengths.reduce((total, each) => total + each, 0);
  const percent = (ms: number) => Math.round((ms / sum(meant)) * 10_000) / 100;
  return {
    concealedPercent: percent(stats.concealedMs),
    gaps: stats.concealments,
    stretchedMs: stats.stretchedMs,
    cutMs: stats.cutMs,
    delayMs: stats.delayMs,
    addedPercent: percent(sum(heard) - sum(meant)),
  };
}
