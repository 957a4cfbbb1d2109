#!/usr/bin/env node
// The command `parley` of the npm package. In JavaScript of old, so that a Node which is too old can say so.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Parley needs Node 22.18 or newer; this is ${process.version}. See https://nodejs.org.`,
  );
  process.exit(1);
}
await import('./run-command.ts');
