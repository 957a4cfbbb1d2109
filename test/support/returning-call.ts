import { setTimeout as delay } from 'node:timers/promises';
import { CallerError } from '../../src/cli/web-caller.ts';
import { ask } from './failover.ts';
import type { ServiceCall } from './service-call.ts';
import type { ServiceProcess } from './service-process.ts';

/** Comes back with the token as a client does: again and again until a process takes the call. */
export async function comeBack({ caller }: ServiceCall, address?: string): Promise<void> {
  const lostAt = performance.now();
  for (;;) {
    try {
      return await caller.resume(address);
    } catch (error) {
      if (!(error instanceof CallerError) || performance.now() - lostAt > 20_000) throw error;
      if (error.code === 'unknown-token') throw error;
      await delay(50);
    }
  }
}

/** Controls a call that may be on its way to another process. */
export function controlOf(
  running: ServiceProcess,
  { id }: ServiceCall,
  body: object,
): Promise<unknown> {
  return ask(() => running.json(`/calls/v1/conversations/${id}/control`, { method: 'POST', body }));
}
