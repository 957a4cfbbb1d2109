import fc from 'fast-check';
import { testSeed } from './effort.ts';

// fast-check, whose properties hold for the same values in each run; `TEST_SEED` sets others.
fc.configureGlobal({ seed: testSeed(1) });

export default fc;
