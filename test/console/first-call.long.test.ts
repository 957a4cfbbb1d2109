import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import {
  startWalkVendor,
  WALK,
  WALK_ANSWER,
  WALK_KEY,
  walkEnvironment,
} from '../support/first-call-walk.ts';
import { checkPage, expectQuiet } from '../support/page-check.ts';
import { startTestService } from '../support/test-service.ts';

const DOCS = resolve(import.meta.dirname, '../../docs');

test.skipIf(!chromiumPath)(
  'from an empty data folder to a call with an assistant and a vendor of one’s own, in the console alone',
  { timeout: 300_000 },
  async () => {
    expect(WALK.length).toBeLessThanOrEqual(10);
    const dir = await mkdtemp(join(tmpdir(), 'first-call-'));
    expect(await readdir(dir)).toEqual([]);
    await using vendor = await startWalkVendor();
    const service = await startTestService(dir, walkEnvironment(vendor));
    try {
      await using view = await ConsolePage.open(service.url);
      for (const [index, { title, act }] of WALK.entries()) {
        await act(view, service.key);
        // A call goes on while it is looked at, which takes seconds: its page is looked at elsewhere.
        if (!['Call it', 'Ask it something'].includes(title))
          await checkPage(view, { name: `first-call-${index + 1}` });
      }
      await view.untilText('main', WALK_ANSWER);
      expectQuiet(view);
      expect(view.requests.filter((url) => url.includes(WALK_KEY))).toEqual([]);
      // The call's model was the vendor's, with the newcomer's key and words.
      const asked = vendor.requests.filter(({ raw }) => raw.includes('town hall of Springfield'));
      expect(asked.length).toBeGreaterThan(0);
      expect(asked[0]?.headers.authorization).toBe(`Bearer ${WALK_KEY}`);
    } finally {
      await service.stop();
      await rm(dir, { recursive: true });
    }
  },
);

test('the console’s page in the docs tells the same steps, each with its picture', async () => {
  const page = await readFile(join(DOCS, 'console.md'), 'utf8');
  for (const [index, { title }] of WALK.entries()) {
    expect(page).toContain(`${index + 1}. **${title}.**`);
    const picture = `screenshots/first-call-${index + 1}.jpg`;
    expect(page).toContain(`](${picture})`);
    const bytes = await readFile(join(DOCS, picture));
    expect(bytes.length).toBeGreaterThan(5000);
    expect(bytes.length).toBeLessThan(120_000);
  }
});
