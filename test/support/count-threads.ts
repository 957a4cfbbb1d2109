import child from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { takeCoverage } from 'node:v8';
import threads from 'node:worker_threads';

// Loaded into every process of `npm run coverage`. Threads and processes that read documents are started without the
// service's environment, so that they are told here where to write what they have run. Such a process is killed when it is
// not needed, and writes it down whenever it has told something.

const { NODE_V8_COVERAGE, NODE_OPTIONS, COUNTS_EACH_ANSWER } = process.env;
const { Worker } = threads;
const { fork } = child;

threads.Worker = class extends Worker {
  constructor(entry: string | URL, { env, ...options }: threads.WorkerOptions = {}) {
    super(entry, { ...options, env: typeof env === 'object' ? { ...env, NODE_V8_COVERAGE } : env });
  }
};
child.fork = ((entry: string, args: readonly string[], { env, ...options }: child.ForkOptions) => {
  const counting = { NODE_V8_COVERAGE, NODE_OPTIONS, COUNTS_EACH_ANSWER: 'yes' };
  const isCounted = !env || 'NODE_V8_COVERAGE' in env;
  return fork(entry, args, { ...options, env: isCounted ? env : { ...env, ...counting } });
}) as typeof fork;
syncBuiltinESMExports();

const { send } = process;
if (COUNTS_EACH_ANSWER && send)
  process.send = (...message: unknown[]) => {
    const isSent = (send as (...all: unknown[]) => boolean).apply(process, message);
    takeCoverage();
    return isSent;
  };
