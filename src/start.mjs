import { applyAllocatorSettings } from './allocator.mjs';

// What a start needs comes after this, which may start the process anew.
applyAllocatorSettings();
await import('./load-service.mjs');
