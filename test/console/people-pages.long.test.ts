import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { checkPage } from '../support/page-check.ts';
import { sharedService } from '../support/shared-service.ts';

const title = chromiumPath ? 'people' : 'people (skipped: no Chromium is installed)';
const PASSWORD = 'a good long password';

describe.skipIf(!chromiumPath)(title, () => {
  test('are invited, join, add a second factor, sign in with it, and are signed out by another role', async () => {
    await using service = await sharedService();
    await using admin = await ConsolePage.open(service.url);
    const email = `ada-${Date.now()}@example.com`;
    await admin.signIn(service.key);
    await admin.page.click('nav a:has-text("People")');
    await admin.untilText('main', 'accessed with API keys only');
    await admin.page.click('#invite');
    await admin.page.click('dialog [type=submit]');
    await admin.untilText('#invite-email-fault', 'Enter an e-mail address.');
    await admin.page.fill('#invite-email', 'no address');
    await admin.page.press('#invite-email', 'Enter');
    await admin.untilText('#invite-email-fault', 'Must be an e-mail address.');
    await admin.page.fill('#invite-email', email);
    await admin.page.selectOption('#invite-role', 'admin');
    await admin.page.press('#invite-email', 'Enter');
    await admin.untilText('#made-invitation', 'It works once');
    await admin.untilText('#invitations', email);
    await checkPage(admin, { name: 'people-invited' });
    const link = await admin.page.locator('#made-invitation code').innerText();

    await using view = await ConsolePage.open(service.url, { at: link.split('#')[1] as string });
    const { page } = view;
    await view.untilText('h1', 'Join');
    await page.waitForSelector('#name:focus');
    await checkPage(view, { name: 'join' });
    await page.keyboard.type('Ada');
    await page.keyboard.press('Tab');
    await page.keyboard.type('short');
    await page.keyboard.press('Enter');
    await view.untilText('#join-fault', 'must have 12 characters or more');
    await page.fill('#password', PASSWORD);
    await page.press('#password', 'Enter');
    await view.untilText('#who', /Ada, admin/s);
    expect(page.url()).not.toContain('token');
    expect(await page.evaluate<string>('document.cookie')).toBe('');

    await page.click('#who a');
    await view.untilText('#sessions .badge', 'this one');
    await checkPage(view, { name: 'account' });
    await page.click('#add-factor');
    await page.fill('#current-password', PASSWORD);
    await page.press('#current-password', 'Enter');
    await page.waitForSelector('.qr-code');
    await checkPage(view, { name: 'second-factor' });
    const secret = Secret.fromBase32(await page.innerText('#factor-secret'));
    const totp = new TOTP({ secret });
    await page.fill('#factor-code', '000 000x');
    await page.press('#factor-code', 'Enter');
    await view.untilText('#factor-code-fault', 'wrong');
    await page.fill('#factor-code', totp.generate());
    await page.press('#factor-code', 'Enter');
    await view.untilText('#recovery-codes', 'Each works once');
    await view.untilText('#factor-state', '10 recovery codes');
    await checkPage(view, { name: 'recovery-codes' });
    const [code] = (await page.locator('#recovery-codes code').innerText()).split('\n');

    await page.click('#change-password');
    await page.fill('#current-password', PASSWORD);
    // A password is what was typed, blanks at its ends too.
    await page.fill('#new-password', `${PASSWORD} anew `);
    await page.press('#new-password', 'Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });

    await page.route('**/auth/v1/sign-out', (route) =>
      route.fulfill({ status: 409, json: { message: 'Not now' } }),
    );
    await page.click('#sign-out');
    await view.untilText('.toasts', 'You are still signed in.');
    await page.unroute('**/auth/v1/sign-out');
    await page.click('#sign-out');
    await page.waitForSelector('#email:focus');
    await checkPage(view, { name: 'sign-in-person' });
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await view.untilText('#sign-in-fault', 'The e-mail address or the password is wrong.');
    await page.fill('#password', `${PASSWORD} anew `);
    await page.press('#password', 'Enter');
    await page.waitForSelector('#code:focus');
    // What is half way stays so over a reload.
    await page.reload();
    await page.waitForSelector('#code:focus');
    await page.keyboard.type(code as string);
    await page.keyboard.press('Enter');
    await view.untilText('#who', /Ada, admin/s);
    await page.reload();
    await view.untilText('#who', /Ada, admin/s);

    await admin.page.reload();
    await admin.untilText('#people tr:has-text("Ada")', 'yes');
    await admin.page.click('[aria-label="Change Ada"]');
    await admin.page.selectOption('#person-role', 'viewer');
    await admin.page.click('dialog [type=submit]');
    await admin.untilText('#people tr:has-text("Ada")', 'viewer');
    await page.click('nav a:has-text("Tools")');
    await view.untilText('#sign-in-fault', 'You have been signed out.');

    await admin.page.click('[aria-label="Remove Ada"]');
    await admin.untilText('dialog', 'All sessions end at once');
    await admin.page.click('dialog .danger');
    await admin.untilText('main', 'accessed with API keys only');
  }, 120_000);

  test('a link that was used or never was says so', async () => {
    await using service = await sharedService();
    await using view = await ConsolePage.open(service.url, { at: '/join?token=none' });
    await view.untilText('h1', 'This link does not work');
    await checkPage(view, { name: 'join-void' });
    await view.page.click('text=Sign in');
    await view.page.waitForSelector('#key');
  });

  test('whom the provider could not bring in is told why', async () => {
    await using service = await sharedService();
    await using view = await ConsolePage.open(service.url, {
      at: '/sign-in?refused=openid-unknown',
    });
    await view.untilText('#sign-in-fault', 'Your e-mail address has no invitation');
  });
});
