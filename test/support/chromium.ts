import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { inject } from 'vitest';
import { CHROMIUM_FLAGS, chromiumPath, headlessPath } from './chromium-flags.ts';
import { writeMicrophoneWav } from './microphone-wav.ts';
import { askOnDemand } from './on-demand.ts';
import { countPages } from './page-coverage.ts';

export interface ChromiumOptions {
  /** Recordings and silences (ms) that the microphone hears from the moment it opens. @defaultValue silence */
  readonly says?: readonly (string | number)[];
  /** How the user answers the question for the microphone. @defaultValue allowed */
  readonly microphone?: 'allowed' | 'refused';
  /** Command and arguments that start the browser's own, such as those of another network. */
  readonly startedBy?: readonly string[];
  /** An origin without TLS that may use the microphone all the same. */
  readonly trustedOrigin?: string;
  /** Scripts of a test may run where the page's policy would not let them. @defaultValue false */
  readonly bypassPolicy?: boolean;
  readonly colorScheme?: 'light' | 'dark';
  /** False outside of a test run, which has no shared browser. @defaultValue true */
  readonly shared?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
}

type Opened = { readonly context: BrowserContext } & AsyncDisposable;

/** A fresh context: in the browser that the run shares, or in one of its own where the microphone says something. */
export function openChromium(options: ChromiumOptions = {}): Promise<Opened> {
  const { says = [], microphone = 'allowed', startedBy, shared = true } = options;
  const canShare = shared && says.length === 0 && microphone === 'allowed' && !startedBy;
  return canShare ? inShared(options) : inOwn(options);
}

const shown = ({ colorScheme = 'light', viewport }: ChromiumOptions) =>
  ({ colorScheme, viewport: viewport ?? { width: 1280, height: 800 } }) as const;

async function inShared(options: ChromiumOptions): Promise<Opened> {
  const { endpoint } = await askOnDemand<{ endpoint: string }>(inject('browser'), 'chromium');
  const browser = await chromium.connect(endpoint);
  const context = await browser.newContext(shown(options));
  const writeCounts = await countPages(context);
  return {
    context,
    async [Symbol.asyncDispose]() {
      await writeCounts();
      await context.close();
      await browser.close();
    },
  };
}

async function inOwn({
  says = [],
  microphone,
  startedBy,
  trustedOrigin,
  ...options
}: ChromiumOptions): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-chromium-'));
  const wav = join(folder, 'microphone.wav');
  await writeMicrophoneWav(wav, [...says, 60_000]);
  const path = (microphone === 'refused' ? chromiumPath : headlessPath) ?? '';
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: startedBy ? await writeStarter(folder, startedBy) : path,
    args: [
      ...CHROMIUM_FLAGS,
      microphone === 'refused' ? '--deny-permission-prompts' : '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-audio-capture=${wav}%noloop`,
      ...(trustedOrigin ? [`--unsafely-treat-insecure-origin-as-secure=${trustedOrigin}`] : []),
    ],
    bypassCSP: options.bypassPolicy ?? false,
    ...shown(options),
  });
  const writeCounts = await countPages(context);
  return {
    context,
    async [Symbol.asyncDispose]() {
      await writeCounts();
      await context.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** A program that starts the browser by another command. */
async function writeStarter(dir: string, command: readonly string[]): Promise<string> {
  const path = join(dir, 'chromium');
  const words = [...command, chromiumPath ?? ''].join(' ');
  await writeFile(path, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  return path;
}
