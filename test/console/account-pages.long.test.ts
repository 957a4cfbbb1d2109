import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { freePort } from '../support/free-port.ts';
import { TestOpenIdProvider } from '../support/openid-provider.ts';
import { checkPage } from '../support/page-check.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';
import { tokenIn } from '../support/visitor.ts';

const title = chromiumPath
  ? 'an account of a provider'
  : 'an account of a provider (skipped: no Chromium is installed)';

describe.skipIf(!chromiumPath)(title, { timeout: 120_000 }, () => {
  const open = new AsyncDisposableStack();
  let service: ServiceProcess;
  let provider: TestOpenIdProvider;

  beforeAll(async () => {
    const port = await freePort();
    const callback = `http://127.0.0.1:${port}/auth/v1/sign-in/openid/callback`;
    provider = await TestOpenIdProvider.start(callback);
    open.defer(() => provider.stop());
    const folder = await mkdtemp(join(tmpdir(), 'parley-account-'));
    open.defer(() => rm(folder, { recursive: true, force: true }));
    const { name, issuer, clientId, clientSecret } = provider.access;
    service = await startTestService(folder, {
      ...{ PORT: String(port), OIDC_NAME: name, OIDC_ISSUER: issuer },
      ...{ OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
    });
    open.defer(async () => void (await service.stop()));
  });
  afterAll(() => open.disposeAsync());

  const visit = (at: string) => ConsolePage.open(service.url, { at });
  const invite = async (email: string) => {
    const { url } = await service.json<{ url: string }>('/auth/v1/invitations', {
      method: 'POST',
      body: { email, role: 'builder' },
    });
    return `/join?token=${tokenIn(url)}`;
  };

  test('joins, confirms itself before it gets a password and a factor, loses both, and signs out everywhere', async () => {
    const email = 'ada@example.com';
    provider.account = { sub: 'ada', email, email_verified: true, name: 'Ada Lovelace' };
    await using view = await visit(await invite(email));
    const { page } = view;
    await view.untilText('#provider', 'Sign in with Example');
    await page.click('#provider');
    await view.untilText('#who', /Ada Lovelace, builder/s);
    expect(page.url()).not.toContain('token');

    await page.click('#who a');
    await view.untilText('#provider-state', 'Confirm your identity at the provider before');
    for (const id of ['#change-password', '#add-factor'])
      expect(await page.isDisabled(id)).toBe(true);
    // The browser was at the provider before.
    view.requests.length = 0;
    await checkPage(view, { name: 'account-provider' });
    await page.click('#provider');
    await view.untilText('#provider-state', 'You have just confirmed your identity');
    await page.click('#change-password');
    await page.click('dialog [type=submit]');
    await view.untilText('#new-password-fault', 'Enter a new password.');
    await page.fill('#new-password', 'a good long password');
    await page.press('#new-password', 'Enter');
    await view.untilToast('The password was saved.');
    await view.untilText('#change-password', 'Change password');

    await using other = await visit('/sign-in');
    await other.page.click('#provider');
    await other.untilText('#who', /Ada Lovelace/s);
    await page.reload();
    await page.click('[aria-label^="End the session of Chrome"]');
    await view.untilToast('The session has ended.');
    await other.page.click('nav a:has-text("Tools")');
    await other.untilText('#sign-in-fault', 'You have been signed out.');

    await page.click('#add-factor');
    await page.click('dialog [type=submit]');
    await view.untilText('#current-password-fault', 'Enter your current password.');
    await page.fill('#current-password', 'a good long password');
    await page.press('#current-password', 'Enter');
    const secret = Secret.fromBase32(await page.innerText('#factor-secret'));
    await page.fill('#factor-code', new TOTP({ secret }).generate());
    await page.press('#factor-code', 'Enter');
    await view.untilText('#recovery-codes', 'Each works once');
    const codes = (await page.innerText('#recovery-codes code')).split('\n');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.click('#recovery-codes .copy button');
    await view.untilText('#recovery-codes .copy', 'Copied.');
    expect((await page.evaluate('navigator.clipboard.readText()')) as string).toBe(
      codes.join('\n'),
    );
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error())');
    await page.click('#recovery-codes .copy button');
    await view.untilText('#recovery-codes .copy', 'The browser does not allow copying.');
    await page.click('text=I have kept them');
    await page.locator('#recovery-codes').waitFor({ state: 'detached' });

    await page.click('#remove-factor');
    await page.click('dialog [type=submit]');
    await view.untilText('#factor-code-fault', 'Enter the code.');
    await page.fill('#factor-code', codes[0] as string);
    await page.press('#factor-code', 'Enter');
    await view.untilToast('The second factor was removed.');
    await view.untilText('#factor-state', 'your password alone does not open');

    await page.click('#everywhere');
    await view.untilText('dialog', 'this one too');
    await page.click('dialog .danger');
    await page.waitForSelector('#email');
    await page.click('#provider');
    await view.untilText('#who', /Ada Lovelace/s);
  });

  test('that nobody invited is told so, and what the service says is shown where it was asked', async () => {
    provider.account = { sub: 'eve', email: 'eve@example.com', email_verified: true };
    await using view = await visit('/sign-in');
    const { page } = view;
    await page.click('#provider');
    await view.untilText('#sign-in-fault', 'Your e-mail address has no invitation.');
    await page.route('**/auth/v1/sign-in/openid', (route) =>
      route.fulfill({ status: 409, json: { message: 'The provider is out of reach' } }),
    );
    await page.click('#provider');
    await view.untilText('.sign-in [role=alert]', 'The provider is out of reach');
  });
});
