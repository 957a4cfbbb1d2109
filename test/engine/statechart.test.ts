import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawStatechart } from '../support/draw-statechart.ts';

test('the picture in the docs is that of the machine: `npm run statechart` draws it anew', async () => {
  const kept = readFileSync(new URL('../../docs/statechart.svg', import.meta.url), 'utf8');
  expect(await drawStatechart()).toBe(kept);
});
