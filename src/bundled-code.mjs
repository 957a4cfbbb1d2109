import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// A clone makes a bundle of its own code once a service of it has run for some seconds. The next start loads that, unless
// a file that went into it has changed.

const INPUTS = 'inputs.json';
/** Earlier ones stay for services that run with them and may yet load a part. */
const KEPT = 3;
/** A start, and in tests an end, comes first. */
const PAUSE_MS = 10_000;
const ABANDONED_MS = 300_000;

/** @param {string} cache the folder for what starts keep */
const folderOf = (cache) => join(cache, 'bundles');

/**
 * @param {string} folder
 * @returns {string[]} the bundles there, the newest first
 */
const bundlesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .sort((a, b) => Number(b) - Number(a));

/**
 * Who watches, debugs or covers the code wants it file by file.
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} nodeOptions those on the command line
 */
export function wantsFiles(env, nodeOptions) {
  const options = [env.NODE_OPTIONS ?? '', ...nodeOptions].join(' ');
  const hooks = /(?:^|\s)(?:-r|--(?:watch|import|require|loader|experimental-loader|inspect))/;
  return Boolean(env.NODE_V8_COVERAGE ?? env.WATCH_REPORT_DEPENDENCIES) || hooks.test(options);
}

/**
 * @param {string} cache
 * @returns {string | undefined} the folder of a bundle that holds the code as it is now
 */
export function freshBundle(cache) {
  try {
    const folder = folderOf(cache);
    const bundle = join(folder, bundlesIn(folder)[0] ?? '');
    /** @type {import('./lib/bundle-code.ts').BundleInputs} */
    const inputs = JSON.parse(readFileSync(join(bundle, INPUTS), 'utf8'));
    const isFresh = inputs.every(([path, changedAtMs, bytes]) => {
      const { mtimeMs, size } = statSync(`${bundle}/${path}`);
      return mtimeMs === changedAtMs && size === bytes;
    });
    return isFresh ? bundle : undefined;
  } catch {
    // There is none, or a file that went into it is gone.
    return undefined;
  }
}

/**
 * Has a process of low priority make the bundle of the next start, unless this process ends before.
 * @param {string} cache
 */
export function bundleSoon(cache) {
  setTimeout(async () => {
    const { spawn } = await import('node:child_process');
    const args = [fileURLToPath(import.meta.url), cache];
    const maker = spawn(process.execPath, args, { stdio: 'ignore' });
    maker.on('error', () => undefined);
    maker.unref();
    process.once('exit', () => maker.kill());
  }, PAUSE_MS).unref();
}

/**
 * Makes a bundle, unless another process is about to.
 * @param {string} cache
 */
export async function makeBundle(cache) {
  const folder = folderOf(cache);
  const draft = join(folder, 'draft');
  mkdirSync(folder, { recursive: true });
  try {
    mkdirSync(draft);
  } catch {
    const begun = statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN;
    // Its maker has died; a later start makes another.
    if (Date.now() > begun + ABANDONED_MS) rmSync(draft, { recursive: true, force: true });
    return;
  }
  const clear = () => rmSync(draft, { recursive: true, force: true });
  // A service that ends ends its maker.
  process.once('exit', clear);
  try {
    const { bundleCode } = await import('./lib/bundle-code.ts');
    const entry = fileURLToPath(new URL('./main.ts', import.meta.url));
    const inputs = await bundleCode({ entry, folder: draft });
    writeFileSync(join(draft, INPUTS), JSON.stringify(inputs));
    renameSync(draft, join(folder, `${Date.now()}`));
  } finally {
    clear();
    process.off('exit', clear);
  }
  for (const old of bundlesIn(folder).slice(KEPT))
    rmSync(join(folder, old), { recursive: true, force: true });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  setPriority(constants.priority.PRIORITY_LOW);
  process.once('SIGTERM', () => process.exit(1));
  await makeBundle(process.argv[2] ?? '');
}
