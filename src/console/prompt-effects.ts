import { options } from 'preact';

// Effects run at once after their rendering, not after the next picture: the headless widgets write a field's text
// back in one, and what was typed in between would be lost.
options.requestAnimationFrame = (run) => queueMicrotask(run);
