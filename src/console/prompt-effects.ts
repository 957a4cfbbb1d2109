import { options } from 'preact';

// Run effects right after rendering, not after the next frame: the headless widgets write a field's text back in an
// effect, which would overwrite characters typed in between.
options.requestAnimationFrame = (run) => queueMicrotask(run);
