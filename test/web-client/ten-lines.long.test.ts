import { describe, test } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { installLibraries, serveTenLines } from '../support/library-folder.ts';
import { sharedService } from '../support/shared-service.ts';

const title = chromiumPath
  ? 'the page of ten lines'
  : 'the page of ten lines (skipped: no Chromium is installed)';

describe.skipIf(!chromiumPath)(title, () => {
  test('holds a spoken conversation by microphone', async () => {
    await using service = await sharedService();
    await using libraries = await installLibraries();
    await using site = await serveTenLines(libraries.folder, service);
    await using browser = await openChromium({
      // Again, for a machine that is too busy to hear it the first time.
      says: [9000, ...Array(3).fill(['what-your-country-can-do.wav', 12_000]).flat()],
    });
    const page = await browser.context.newPage();
    await page.goto(site.url);
    await page.click('button');
    const said = (text: string) =>
      page.locator('ol', { hasText: text }).waitFor({ timeout: 60_000 });
    await said('assistant: Hello, I am the speech guide');
    await said('user: What your country can do for you?');
    await said('assistant: That is the wrong way round');
  });
});
