import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// Loaded by `--import` before the service: lists in the file LOADED_MODULES what the service's own thread has loaded when
// it ends.

const loaded = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
if (isMainThread && process.argv[1]?.endsWith('start.mjs'))
  process.on('exit', () => {
    const ofNode = process.moduleLoadList.map((name) => `node:${name.split(' ').at(-1)}`);
    writeFileSync(process.env.LOADED_MODULES, [...loaded, ...ofNode].join('\n'));
  });
