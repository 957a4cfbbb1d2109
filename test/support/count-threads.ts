import child from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { takeCoverage } from 'node:v8';
import threads from 'node:worker_threads';

// Loaded into every process of `npm run coverage`. Threads and processes of the service are started without its
// environment, so that they are told here where to write what they have run. Such a process is killed when it is not needed,
// and writes that down a moment after it has told something.

const { NODE_V8_COVERAGE, NODE_OPTIONS, COUNTS_ANSWERS } = process.env;
const { Worker } = threads;
const { fork } = child;

threads.Worker = class extends Worker {
  constructor(entry: string | URL, { env, ...options }: threads.WorkerOptions = {}) {
    super(entry, { ...options, env: typeof env === 'object' ? { ...env, NODE_V8_COVERAGE } : env });
  }
};
child.fork = ((entry: string, ...rest: readonly unknown[]) => {
  const args = (rest.find(Array.isArray) ?? []) as readonly string[];
  const options = (rest.find((one) => one && !Array.isArray(one)) ?? {}) as child.ForkOptions;
  const counting = { NODE_V8_COVERAGE, NODE_OPTIONS, COUNTS_ANSWERS: 'yes' };
  return fork(entry, args, { ...options, env: { ...(options.env ?? process.env), ...counting } });
}) as typeof fork;
syncBuiltinESMExports();

const { send } = process;
if (COUNTS_ANSWERS && send) {
  let last: NodeJS.Timeout | undefined;
  process.send = (...message: unknown[]) => {
    clearTimeout(last);
    last = setTimeout(takeCoverage, 200).unref();
    return (send as (...all: unknown[]) => boolean).apply(process, message);
  };
}
