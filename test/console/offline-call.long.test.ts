import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { SERVICE_KEY, ServiceProcess } from '../support/service-process.ts';

const title = chromiumPath
  ? 'the page and the whole service, offline'
  : 'the page and the whole service (skipped: no Chromium is installed)';

const INTERRUPTED_QUESTION = [
  'what-your-country-can-do.wav',
  2500,
  'ask-what-you-can-do.wav',
  15_000,
];

describe.skipIf(!chromiumPath)(title, () => {
  test('a recorded human asks, is answered aloud, and speaks over the answer', {
    timeout: 180_000,
  }, async () => {
    const dir = await mkdtemp(join(tmpdir(), 'console-call-'));
    const service = await ServiceProcess.start(dir);
    try {
      await using view = await ConsolePage.open(service.url, {
        at: '/talk',
        // The welcome takes 5.5 s; the answer to the first question has begun when the second comes. On a machine that
        // is too busy for that, it has another two times.
        says: [9000, ...Array(3).fill(INTERRUPTED_QUESTION).flat()],
      });
      await view.signIn(SERVICE_KEY);
      await view.page.click('#call');
      await view.untilText('.line.assistant .said', /^Hello, I am the speech guide/);
      await view.untilLoudspeaker('audible');
      await view.untilText('.line.user:not(.interim) .said', 'What your country can do for you?');
      await view.untilText('.line.assistant .said', /^That is the wrong/);
      await view.untilLoudspeaker('audible');
      await view.untilText('.line.assistant.cut .said', /^That is the wrong/);
      await view.untilText(
        '.line.user:not(.interim) .said',
        'Ask what you can do for your country.',
      );
      await view.untilText('.line.assistant .said', /^That is the most famous line/);
      await view.untilText('.turn-parts', /Endpointing \d+.*s · .*Voice \d+.*s/);
      await view.page.click('#call');
      await view.untilText('#status', 'Call ended');

      const { host } = new URL(service.url);
      expect(view.requests.filter((url) => new URL(url).host !== host)).toEqual([]);
      expect(view.complaints).toEqual([]);
      expect(await view.layoutShift()).toBeLessThan(0.01);
    } finally {
      await service.stop();
      await rm(dir, { recursive: true, force: true });
    }
  });
});
