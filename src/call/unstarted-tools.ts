import type { Mind } from './mind.ts';

const NOT_STARTED = JSON.stringify({
  error: 'not started, because the caller went on speaking; call it again if it is still wanted',
});

/** T1: a reply that is taken back takes back what it asked for and nobody has begun. */
export function dropUnstarted(mind: Mind): void {
  for (const tools of [mind.tools, mind.asyncTools]) {
    for (const [toolCallId, { invoked }] of tools) {
      if (invoked) continue;
      tools.delete(toolCallId);
      mind.entries.push({ role: 'tool', toolCallId, content: NOT_STARTED });
    }
  }
  mind.disarm('toolGate');
}
