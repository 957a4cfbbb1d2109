import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect } from 'vitest';

// Loaded before each test file: writes down which places it reaches, and how long it takes.

const reached = new Set<number>();
let beganAt = 0;

beforeAll(() => {
  Object.assign(globalThis, { reachedPlaces: reached });
  beganAt = performance.now();
});

afterAll(() => {
  const { testPath: file } = expect.getState();
  const line = { file, reached: [...reached], ms: Math.round(performance.now() - beganAt) };
  appendFileSync(process.env.REACHED_FILE ?? '', `${JSON.stringify(line)}\n`);
});
