import { readFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { answerTasks } from '../../src/lib/compute-thread.ts';

/** Tasks for the tests of the pool. */
export type TestTask =
  | { readonly kind: 'echo'; readonly value: unknown }
  /** Waits, without computing, until the buffer's first number changes. */
  | { readonly kind: 'wait'; readonly gate: Int32Array }
  /** Uses the given CPU time. */
  | { readonly kind: 'compute'; readonly ms: number }
  | {
      readonly kind:
        | 'backtrack'
        | 'spin'
        | 'hoard'
        | 'recurse'
        | 'throw'
        | 'exit'
        | 'priority'
        | 'thread';
    };

answerTasks((task: TestTask): unknown => {
  switch (task.kind) {
    case 'echo':
      return task.value;
    case 'wait':
      return Atomics.wait(task.gate, 0, 0);
    case 'compute': {
      const start = process.threadCpuUsage();
      for (;;) {
        const { user, system } = process.threadCpuUsage(start);
        if (user + system >= task.ms * 1000) return 'computed';
      }
    }
    case 'backtrack':
      return /^(a+)+$/.test(`${'a'.repeat(60)}!`);
    case 'spin':
      for (;;);
    case 'hoard': {
      const kept: unknown[] = [];
      for (;;) kept.push({ kept: kept.length });
    }
    case 'recurse': {
      const deeper = (): number => 1 + deeper();
      return deeper();
    }
    case 'throw':
      throw new Error('no such thing');
    case 'exit':
      return process.exit(3);
    case 'thread':
      return threadId;
    case 'priority':
      return readFileSync('/proc/thread-self/stat', 'utf8').split(') ')[1]?.split(' ')[16];
  }
});
