import { join } from 'node:path';
import type { ElementHandle, Page } from 'playwright-core';
import { type ChromiumOptions, openChromium } from './chromium.ts';
import { layoutShift, loudspeakerIs, markRead } from './page-functions.js';

/** For what never happens: on a machine that may be busy, all else may be late. */
const WAIT_MS = 60_000;

interface ConsolePageOptions extends ChromiumOptions {
  /** Path of a script that runs in the page before its own. */
  readonly watchedBy?: string;
  /** Page it opens on. @defaultValue the overview */
  readonly at?: string;
}

/** The console in a browser context of its own, everything it asks for and complains of kept. */
export class ConsolePage implements AsyncDisposable {
  readonly page: Page;
  readonly requests: string[] = [];
  readonly complaints: string[] = [];
  readonly #dispose: () => Promise<void>;

  private constructor(page: Page, dispose: () => Promise<void>) {
    this.page = page;
    this.#dispose = dispose;
    page.on('request', (request) => this.requests.push(request.url()));
    page.on('websocket', (socket) => this.requests.push(socket.url()));
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') {
        this.complaints.push(message.text());
      }
    });
  }

  static async open(serviceUrl: string, options: ConsolePageOptions = {}): Promise<ConsolePage> {
    const browser = await openChromium(options);
    const page = await browser.context.newPage();
    const self = new ConsolePage(page, async () => browser[Symbol.asyncDispose]());
    page.setDefaultTimeout(WAIT_MS);
    await page.addInitScript({ path: join(import.meta.dirname, 'watch-page.js') });
    if (options.watchedBy) await page.addInitScript({ path: options.watchedBy });
    await page.goto(`${serviceUrl}/console/#${options.at ?? '/'}`);
    await page.waitForSelector('body[data-started]');
    return self;
  }

  async signIn(key: string): Promise<void> {
    await this.page.fill('#key', key);
    await this.page.press('#key', 'Enter');
    await this.page.waitForSelector('main#main');
  }

  async untilText(selector: string, text: string | RegExp): Promise<void> {
    await this.#find(selector, text);
  }

  /** The same for a message over the page; one that says the same and was waited for before does not count. */
  async untilToast(text: string | RegExp): Promise<void> {
    const toast = await this.#find('.toast:not([data-read])', text);
    await toast.evaluate(markRead);
  }

  async #find(selector: string, text: string | RegExp): Promise<ElementHandle> {
    const found = this.page.locator(selector).filter({ hasText: text }).first();
    return found.elementHandle().catch(async (error: unknown) => {
      const shown = await this.page.locator('main').innerText();
      const at = this.page.url();
      throw new Error(`${at} never showed ${text} in ${selector}, but:\n${shown}`, {
        cause: error,
      });
    });
  }

  /** Resolves when what the loudspeaker gets is audible, or is not, as asked for. */
  async untilLoudspeaker(is: 'audible' | 'silent'): Promise<void> {
    await this.page.waitForFunction(loudspeakerIs, is, { polling: 20 });
  }

  /** How much the page has shifted under its reader's eyes (Chromium's own measure). */
  layoutShift(): Promise<number> {
    return this.page.evaluate(layoutShift);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#dispose();
  }
}
