import { parentPort } from 'node:worker_threads';
import { doWork, type Work } from './work.ts';

parentPort?.on('message', (work: Work) => parentPort?.postMessage(doWork(work)));
