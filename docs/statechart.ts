import { writeFileSync } from 'node:fs';
import { drawStatechart } from '../test/support/draw-statechart.ts';

writeFileSync(new URL('statechart.svg', import.meta.url), await drawStatechart());
