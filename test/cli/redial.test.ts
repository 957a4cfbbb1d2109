import { expect, test } from 'vitest';
import { CliError } from '../../src/cli/cli-error.ts';
import { LineBusyError } from '../../src/cli/handset-socket.ts';
import { redial } from '../../src/cli/spoken/redial.ts';
import { CallerError } from '../../src/cli/web-caller.ts';
import { ApiError } from '../../src/client/api-error.ts';

const { signal } = new AbortController();

/** A line that fails so, one error a time, and then answers; with the waits between. */
async function dialled(...errors: readonly Error[]) {
  const left = [...errors];
  const waits: unknown[] = [];
  const outcome = await redial(
    async () => {
      const error = left.shift();
      if (error) throw error;
      return 'answered';
    },
    { signal, wait: (async (ms: number) => void waits.push(ms)) as never },
  ).catch((error: unknown) => error);
  return { outcome, waits };
}

const refused = (status: number) =>
  new CliError('refused', 1, { cause: new ApiError(new Response(null, { status }), '') });

test('a caller calls again while the service is busy, by web and by telephone', async () => {
  const busy = [
    new CallerError('at_capacity', 'x'),
    new LineBusyError('x'),
    refused(429),
    refused(503),
  ];
  expect(await dialled(...busy)).toEqual({ outcome: 'answered', waits: [3000, 3000, 3000, 3000] });
});

test('what is no matter of time is not tried again, nor is a line that stays busy', async () => {
  const other = refused(400);
  expect(await dialled(other)).toEqual({ outcome: other, waits: [] });
  const busy = Array.from({ length: 100 }, () => new LineBusyError('x'));
  const { outcome, waits } = await dialled(...busy);
  expect(outcome).toBeInstanceOf(LineBusyError);
  expect(waits).toHaveLength(19);
});
