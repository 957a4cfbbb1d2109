import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine, if it has one. */
export const chromiumPath = CANDIDATES.find((path) => existsSync(path));

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-fake-device-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
];

export interface ChromiumOptions {
  /** Recording that is the microphone, once. @defaultValue the browser's own beeps */
  readonly microphoneWav?: string;
  /** How the user answers the question for the microphone. @defaultValue allowed */
  readonly microphone?: 'allowed' | 'refused';
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** A browser with a fresh profile; disposing closes it and removes the profile. */
export async function launchChromium(
  options: ChromiumOptions = {},
): Promise<{ readonly context: BrowserContext } & AsyncDisposable> {
  const profile = await mkdtemp(join(tmpdir(), 'console-test-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath ?? '',
    args: [
      ...FLAGS,
      options.microphone === 'refused'
        ? '--deny-permission-prompts'
        : '--use-fake-ui-for-media-stream',
      ...(options.microphoneWav
        ? [`--use-file-for-fake-audio-capture=${options.microphoneWav}%noloop`]
        : []),
    ],
    colorScheme: options.colorScheme ?? 'light',
    viewport: options.viewport ?? { width: 1280, height: 800 },
  });
  return {
    context,
    async [Symbol.asyncDispose]() {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
