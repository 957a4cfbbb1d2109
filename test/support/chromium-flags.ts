import { existsSync } from 'node:fs';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const HEADLESS = '/usr/bin/chromium-headless-shell';

/** The browser of this machine, if it has one. */
export const chromiumPath = CANDIDATES.find((path) => existsSync(path));

/** The same without windows, where there is one: a page costs a seventh of the CPU time, but none can be refused a microphone. */
export const headlessPath = existsSync(HEADLESS) ? HEADLESS : chromiumPath;

/** No network of its own, and a microphone and loudspeaker that need no hardware. */
export const CHROMIUM_FLAGS = [
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
