// Runs under whatever Node the machine has, so it uses nothing newer than Node 12.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Parley needs Node 22.18 or newer; this is ${process.version}, and no packaged runtime was installed for ${process.platform}-${process.arch}.\n` +
      'Run `npm ci` without --omit, or install a newer Node from https://nodejs.org.',
  );
  process.exit(1);
}
