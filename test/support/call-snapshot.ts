import { applyOverrides } from '../../src/contract/apply-overrides.ts';
import { assistantConfigSchema } from '../../src/contract/assistant.ts';
import type { CallSnapshot } from '../../src/contract/call-snapshot.ts';
import { vendors } from '../contract/vendors.ts';

/** What a call runs with where it matters to nobody. */
export const callSnapshot: CallSnapshot = applyOverrides(
  assistantConfigSchema(vendors).parse({ name: 'Ada' }),
);
