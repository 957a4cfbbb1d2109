import { vi } from 'vitest';

/**
 * Resolves when what is asserted holds, with what the assertion returns. Unlike `expect.poll` it belongs to no test,
 * so that tests which run side by side share it. The deadline is for a machine that does much else.
 */
export function eventually<Value>(
  assert: () => Value | Promise<Value>,
  { timeoutMs = 60_000, everyMs = 200 } = {},
): Promise<Value> {
  return vi.waitFor(assert, { timeout: timeoutMs, interval: everyMs });
}
