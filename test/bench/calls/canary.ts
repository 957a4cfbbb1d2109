import { serve } from './child.ts';
import type { Gap } from './messages.ts';
import { type CanaryApi, monotonicMs } from './messages.ts';

const LOOK_MS = 4;
/** Its own collections are shorter. */
const GAP_MS = 3;

// Wakes every few milliseconds on a core where nothing goes before it: where it is late, the core was not this machine's.
let gaps: Gap[] = [];
let dueAt = monotonicMs() + LOOK_MS;

function look(): void {
  const now = monotonicMs();
  if (now - dueAt > GAP_MS) gaps.push({ atMs: now, ms: now - dueAt });
  dueAt = now + LOOK_MS;
  setTimeout(look, LOOK_MS);
}

const api: { [Name in keyof CanaryApi]: CanaryApi[Name] } = {
  reset() {
    gaps = [];
  },
  report: () => gaps,
};

look();
serve(api as never);
